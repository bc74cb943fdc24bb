// The strip of all positions: bars as high as actions took long, and a slider that takes the state along.

import { hue, line, number, setText } from "./text.js";

const $ = (id) => document.getElementById(id);
/** Half the width of the slider's thumb: bars stand where its middle goes. */
const inset = 7;

/** The strip above the log. */
export class Timeline {
  #canvas = $("timeline-canvas");
  #slider = $("timeline-slider");
  #jump;
  #store = null;
  #isDragged = false;
  #wanted = null;
  #isJumping = false;
  #drawn = "";

  /** `jump(id)` goes to an entry, and says by a promise when the program has done it. */
  constructor(jump) {
    this.#jump = jump;
    this.#slider.addEventListener("input", () => this.#drag());
    for (const event of ["change", "pointerup", "blur"]) {
      this.#slider.addEventListener(event, () => {
        this.#isDragged = false;
        this.#showPosition();
      });
    }
    new ResizeObserver(() => this.#draw()).observe(this.#canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.#drawn = "";
      this.#draw();
    });
  }

  show(store, isConnected) {
    this.#store = store;
    this.#slider.max = store.log.entries.length;
    this.#slider.disabled = !isConnected || store.isGone || store.log.entries.length === 0;
    this.#showPosition();
    this.#draw();
  }

  #showPosition() {
    if (!this.#store) return;
    const { log, report, shown } = this.#store;
    if (!this.#isDragged && this.#wanted === null) {
      // A crash report has no position of its own, so the slider stands at the selected action.
      this.#slider.value = report ? log.indexFrom(shown + 1) : log.position;
    }
    const position = Number(this.#slider.value);
    const entry = log.entries[position - 1];
    setText($("timeline-position"), `${number(position)} / ${number(log.entries.length)}`);
    this.#slider.setAttribute("aria-valuetext", position === 0 ? "base"
      : `${position} of ${log.entries.length}: ${line(entry?.name, 80)}`);
  }

  /** One jump at a time, to where the slider is then: it moves faster than states may be computed. */
  async #drag() {
    this.#isDragged = true;
    this.#wanted = this.#store.log.id(Number(this.#slider.value)) ?? null;
    this.#showPosition();
    if (this.#isJumping) return;
    this.#isJumping = true;
    while (this.#wanted !== null) {
      const id = this.#wanted;
      const isDone = await this.#jump(id);
      if (this.#wanted === id || !isDone) this.#wanted = null;
    }
    this.#isJumping = false;
    this.#showPosition();
  }

  #draw() {
    if (!this.#store) return;
    const { log } = this.#store;
    const scale = devicePixelRatio || 1;
    const width = this.#canvas.clientWidth;
    const height = this.#canvas.clientHeight;
    const state = [this.#store.id, log.revision, width, height, scale].join();
    if (state === this.#drawn || width === 0) return;
    this.#drawn = state;
    this.#canvas.width = width * scale;
    this.#canvas.height = height * scale;
    const context = this.#canvas.getContext("2d");
    context.scale(scale, scale);
    const style = getComputedStyle(this.#canvas);
    const colours = Array.from({ length: 8 }, (_, index) => style.getPropertyValue(`--hue-${index}`));
    const undone = style.getPropertyValue("--undone");
    const count = log.entries.length;
    const usable = width - 2 * inset;
    const step = count > 0 ? usable / count : usable;
    const columns = Math.min(count, Math.max(1, Math.floor(usable / 2)));
    const bar = Math.max(1, Math.min(6, usable / Math.max(1, columns) - 1));
    for (let column = 0; column < columns; column += 1) {
      const from = Math.floor((column * count) / columns);
      const to = Math.max(from + 1, Math.floor(((column + 1) * count) / columns));
      const entry = slowest(log.entries, from, to);
      const tall = entry.isSkipped ? 2 : barHeight(entry.duration, height - 4);
      context.fillStyle = log.isUndone(entry) || entry.isSkipped ? undone : colours[hue(entry.name)];
      const middle = inset + (columns === count ? (from + 1) * step : ((column + 1) * usable) / columns);
      context.fillRect(middle - bar / 2, height - tall - 2, bar, tall);
    }
  }
}

function slowest(entries, from, to) {
  let found = entries[from];
  for (let index = from + 1; index < to; index += 1) {
    if ((entries[index].duration ?? 0) > (found.duration ?? 0)) found = entries[index];
  }
  return found;
}

/** From 1 µs, a fifth of the height, to 100 ms, all of it; each tenfold is as much more. */
function barHeight(duration, height) {
  const part = duration ? Math.log10(Math.max(1, duration)) / 5 : 0;
  return height * (0.2 + 0.8 * Math.min(1, part));
}
