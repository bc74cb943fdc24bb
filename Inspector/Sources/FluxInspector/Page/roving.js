// Rows of buttons and tabs that are one stop of the tab key: arrows, Home and End go on from there.

/** Lets keys move among the elements of a row; `arrive` is given the element that is come to. */
export function rove(row, selector, arrive) {
  row.addEventListener("keydown", (event) => {
    const elements = [...row.querySelectorAll(selector)];
    const index = elements.indexOf(document.activeElement);
    const steps = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: elements.length - 1 };
    const to = steps[event.key];
    if (to === undefined || index < 0) return;
    event.preventDefault();
    const element = elements[(to + elements.length) % elements.length];
    arrive(element, elements);
    element.focus();
  });
}

/** The same for tabs: what is come to is shown. */
export function roveTabs(row) {
  rove(row, "[role=tab]:not([hidden])", (tab) => tab.click());
}
