// A list of which only the rows that can be seen are on the page, however long it is.

import { make } from "./text.js";

const beyond = 8;

/**
 * The rows of a scrolled element.
 *
 * All rows are as high as the element's `--row` says. `makeRow` makes an empty one, and
 * `fillRow(row, item, index)` fills it in: often, so it should leave alone what is right already. `onScroll`
 * is told when other rows are seen. `marked` tells the index of a row that stays in sight when the list gets
 * smaller.
 */
export class List {
  items = [];
  /** Whether the list stays at its end when items come. */
  isFollowing = false;
  #element;
  #space = make("div", "list-space");
  #rows = [];
  #rowHeight = 24;
  #makeRow;
  #fillRow;
  #onScroll;
  #marked;
  #frame = 0;
  #revision = 0;
  #lastTop = 0;
  /** What was seen before the list was told anew: a key, and how far its row stood from the top. */
  #anchor = null;

  constructor(element, { makeRow, fillRow, onScroll = () => {}, marked = () => -1 }) {
    this.#element = element;
    this.#makeRow = makeRow;
    this.#fillRow = fillRow;
    this.#onScroll = onScroll;
    this.#marked = marked;
    element.append(this.#space);
    element.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    for (const event of ["wheel", "pointerdown", "keydown", "touchstart"]) {
      element.addEventListener(event, () => (this.#anchor = null), { passive: true });
    }
    new ResizeObserver(() => this.#measure()).observe(element);
    this.#measure();
  }

  /**
   * Takes other items.
   *
   * What is seen stays where it is if `keyOf` and `find`, which tells the index of a key or -1, are given.
   */
  setItems(items, { keyOf, find } = {}) {
    if (keyOf && !this.isFollowing) this.#anchor ??= this.#firstSeen(keyOf);
    this.items = items;
    this.#space.style.height = `${items.length * this.#rowHeight}px`;
    if (this.isFollowing) this.#scrollTo(this.#end);
    else if (keyOf && this.#anchor) this.#restore(find);
    this.render();
  }

  /** Draws the rows that are seen, before the next frame; what was filled in is filled in again. */
  renderSoon() {
    this.#revision += 1;
    this.#drawSoon();
  }

  #drawSoon() {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  /** Draws the rows that are seen, now. */
  render() {
    this.#revision += 1;
    this.#draw();
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const seen = Math.ceil(this.#element.clientHeight / this.#rowHeight);
    const count = seen + 2 * beyond;
    while (this.#rows.length < count) {
      const row = this.#makeRow();
      row.hidden = true;
      this.#rows.push(row);
      this.#space.append(row);
    }
    const first = Math.max(0, Math.floor(this.#element.scrollTop / this.#rowHeight) - beyond);
    const end = Math.min(this.items.length, first + count);
    // A row is that of each n-th item, so that one step of scrolling fills one row.
    for (const row of this.#rows) row.isUsed = false;
    for (let index = first; index < end; index += 1) {
      const row = this.#rows[index % this.#rows.length];
      row.isUsed = true;
      const isMoved = row.index !== index;
      if (isMoved) {
        row.index = index;
        row.style.transform = `translateY(${index * this.#rowHeight}px)`;
      }
      if (row.hidden) row.hidden = false;
      const item = this.items[index];
      if (row.item === item && row.filledAt === this.#revision && !isMoved) continue;
      row.item = item;
      row.filledAt = this.#revision;
      this.#fillRow(row, item, index);
    }
    for (const row of this.#rows) if (!row.isUsed && !row.hidden) row.hidden = true;
  }

  /** The row of an index, if it is on the page. */
  row(index) {
    const row = this.#rows[index % Math.max(1, this.#rows.length)];
    return row && !row.hidden && row.index === index ? row : null;
  }

  /** Scrolls as little as needed for a row to be seen. */
  reveal(index) {
    this.#anchor = null;
    const top = index * this.#rowHeight;
    const height = this.#element.clientHeight;
    const seen = this.#element.scrollTop;
    if (top < seen) this.#scrollTo(top);
    else if (top + this.#rowHeight > seen + height) this.#scrollTo(top + this.#rowHeight - height);
    this.render();
  }

  /** How many rows are seen at once. */
  get pageSize() {
    return Math.max(1, Math.floor(this.#element.clientHeight / this.#rowHeight) - 1);
  }

  get isAtEnd() {
    return this.#element.scrollTop >= this.#end - 2;
  }

  /** How many items stand below what is seen. */
  get below() {
    const bottom = this.#element.scrollTop + this.#element.clientHeight;
    return Math.max(0, this.items.length - Math.ceil(bottom / this.#rowHeight));
  }

  scrollToEnd() {
    this.#anchor = null;
    this.#scrollTo(this.#end);
    this.render();
  }

  scrollToTop() {
    this.#anchor = null;
    this.#scrollTo(0);
    this.renderSoon();
  }

  get #end() {
    return Math.max(0, this.items.length * this.#rowHeight - this.#element.clientHeight);
  }

  #scrollTo(top) {
    this.#element.scrollTop = top;
    this.#lastTop = this.#element.scrollTop;
  }

  #scrolled() {
    const top = this.#element.scrollTop;
    if (this.#anchor === null && top !== this.#lastTop) {
      const isUp = top < this.#lastTop;
      this.isFollowing = this.isAtEnd || (this.isFollowing && !isUp);
    }
    this.#lastTop = top;
    this.#drawSoon();
    this.#onScroll();
  }

  #firstSeen(keyOf) {
    const index = Math.floor(this.#element.scrollTop / this.#rowHeight);
    const item = this.items[index];
    if (item === undefined || index === 0) return null;
    return { key: keyOf(item), offset: this.#element.scrollTop - index * this.#rowHeight };
  }

  /** Shows again what was seen; while that has not come, waits for it. */
  #restore(find) {
    const index = find(this.#anchor.key);
    if (index < 0) return;
    const top = index * this.#rowHeight + this.#anchor.offset;
    if (top > this.#end + this.#rowHeight) return;
    this.#scrollTo(top);
    this.#anchor = null;
  }

  #measure() {
    const marked = this.#marked();
    const wasSeen = marked >= 0 && this.row(marked) !== null;
    const height = parseFloat(getComputedStyle(this.#element).getPropertyValue("--row")) || 24;
    if (height !== this.#rowHeight) {
      this.#rowHeight = height;
      for (const row of this.#rows) row.index = -1;
      this.#space.style.height = `${this.items.length * height}px`;
    }
    if (this.isFollowing) this.#scrollTo(this.#end);
    else if (wasSeen) this.reveal(marked);
    this.renderSoon();
  }
}
