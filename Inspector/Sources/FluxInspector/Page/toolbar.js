// The buttons above the log. One that can do nothing now says why, and the keyboard reaches it all the same.

import { atPresent, groups } from "./commands.js";
import { rove } from "./roving.js";
import { icon, make, setText } from "./text.js";

/** The row of buttons. */
export class Toolbar {
  #buttons = new Map();
  #element = document.getElementById("toolbar");

  /** `run(id)` carries a command out; `onHelp` shows the keys. */
  constructor(run, onHelp) {
    for (const group of groups) {
      const holder = make("div", "tool-group");
      for (const command of group) {
        const button = this.#makeButton(command.id, command.key, () => run(command.id));
        this.#buttons.set(command, button);
        holder.append(button);
      }
      this.#element.append(holder);
    }
    const help = this.#makeButton("help", "?", onHelp);
    help.dataset.hint = "All keys";
    setText(help.querySelector(".label"), "Keys");
    help.classList.add("tool-help");
    this.#element.append(help);
    this.#element.querySelector("button").tabIndex = 0;
    rove(this.#element, "button", (button, buttons) => {
      for (const other of buttons) other.tabIndex = other === button ? 0 : -1;
    });
  }

  show(store, isConnected) {
    for (const [command, button] of this.#buttons) {
      const now = atPresent(command, store, isConnected);
      setText(button.querySelector(".label"), now.label);
      button.querySelector("use").setAttribute("href", `#icon-${now.symbol}`);
      button.dataset.hint = now.reason ?? now.hint;
      button.setAttribute("aria-disabled", now.reason !== null);
      button.classList.toggle("on", now.isOn);
    }
  }

  #makeButton(symbol, key, run) {
    const button = make("button", "tool", icon(symbol), make("span", "label"));
    button.id = `tool-${symbol}`;
    button.tabIndex = -1;
    if (key) button.dataset.key = key;
    button.addEventListener("click", run);
    return button;
  }
}
