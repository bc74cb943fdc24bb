// The bar between the log and the detail, moved by mouse, finger or arrows.

const divider = document.getElementById("divider");
const panes = document.getElementById("main");
const least = 20;
const most = 80;

/** Lets the person say how much of the window the log gets; the settings keep it. */
export function moveDivider(settings) {
  const stacked = matchMedia("(max-width: 760px)");
  const name = () => (stacked.matches ? "height" : "width");
  const set = (share, isKept = true) => {
    const part = Math.round(Math.max(least, Math.min(most, share)));
    panes.style.setProperty("--log-share", `${part}%`);
    divider.setAttribute("aria-valuenow", part);
    if (isKept) settings.set(`log-${name()}`, part);
  };
  const restore = () => {
    divider.setAttribute("aria-orientation", stacked.matches ? "horizontal" : "vertical");
    set(Number(settings.get(`log-${name()}`)) || (stacked.matches ? 48 : 56), false);
  };
  divider.setAttribute("aria-valuemin", least);
  divider.setAttribute("aria-valuemax", most);
  divider.addEventListener("pointerdown", (event) => {
    divider.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  divider.addEventListener("pointermove", (event) => {
    if (!divider.hasPointerCapture(event.pointerId)) return;
    const { left, top, width, height } = panes.getBoundingClientRect();
    set(stacked.matches ? (100 * (event.clientY - top)) / height : (100 * (event.clientX - left)) / width);
  });
  divider.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -2, ArrowUp: -2, ArrowRight: 2, ArrowDown: 2 }[event.key];
    if (!step) return;
    event.preventDefault();
    set(Number(divider.getAttribute("aria-valuenow")) + step);
  });
  stacked.addEventListener("change", restore);
  restore();
}
