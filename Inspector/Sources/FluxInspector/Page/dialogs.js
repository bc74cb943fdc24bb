// Dialogs: dispatching by hand, questions before what cannot be taken back, and the list of keys.

import { pretty } from "./json.js";
import { line, make, setText } from "./text.js";

const $ = (id) => document.getElementById(id);

for (const dialog of document.querySelectorAll("dialog")) {
  dialog.querySelector("[data-close]")?.addEventListener("click", () => dialog.close());
}

/** Has a form's button do something that takes a while; the dialog closes when it went well. */
function onSubmit(dialog, trouble, act) {
  const form = dialog.querySelector("form");
  let isBusy = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    setText(trouble, "");
    try {
      await act();
      dialog.close();
    } catch (error) {
      setText(trouble, line(error.message, 2000));
    } finally {
      isBusy = false;
    }
  });
}

/** Asks before something that cannot be taken back; what is refused is said in the dialog. */
export class Question {
  #dialog = $("question");
  #act = null;

  constructor() {
    onSubmit(this.#dialog, $("question-error"), () => this.#act());
  }

  ask({ title, text, yes, act }) {
    setText($("question-title"), title);
    setText($("question-text"), text);
    setText($("question-yes"), yes);
    setText($("question-error"), "");
    this.#act = act;
    if (!this.#dialog.open) this.#dialog.showModal();
  }
}

/** Dispatching an action by hand. */
export class Dispatching {
  #dialog = $("dispatch");
  #name = $("dispatch-name");
  #payload = $("dispatch-payload");
  #inspector;
  #store = null;
  /** Whether the payload is one that the person typed, and not to be replaced. */
  #isTyped = false;

  constructor(inspector) {
    this.#inspector = inspector;
    this.#payload.addEventListener("input", () => {
      this.#isTyped = this.#payload.value.trim() !== "";
      setText($("dispatch-error"), "");
      setText($("dispatch-from"), "");
    });
    this.#name.addEventListener("change", () => this.#propose());
    this.#dialog.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#dialog.querySelector("form").requestSubmit();
    });
    onSubmit(this.#dialog, $("dispatch-error"), () => this.#send());
  }

  /** Opens the dialog, for an action that is given or was typed before. */
  open(store, name, payload) {
    if (store !== this.#store) {
      this.#isTyped = false;
      this.#payload.value = "";
    }
    this.#store = store;
    const chosen = name ?? this.#name.value;
    this.#name.replaceChildren(...store.actions.map((action) => {
      const option = make("option", "", line(action, 100));
      option.value = action;
      return option;
    }));
    if (store.actions.includes(chosen)) this.#name.value = chosen;
    setText($("dispatch-error"), "");
    setText($("dispatch-from"), "");
    if (payload !== undefined) {
      this.#payload.value = payload;
      this.#isTyped = true;
    } else this.#propose();
    this.#dialog.showModal();
    (payload === undefined ? this.#name : this.#payload).focus();
  }

  /** Proposes the payload of the last action of that name, which mostly is near to what is wanted. */
  async #propose() {
    if (this.#isTyped) return;
    const name = this.#name.value;
    const last = this.#store.log.entries.findLast((entry) => entry.name === name);
    this.#payload.value = "{}";
    setText($("dispatch-from"), "");
    if (!last) return;
    let json;
    try {
      json = (await this.#store.request({ type: "action", entry: last.id })).json;
    } catch {
      // Nothing is proposed then; what the person sends will be answered.
      return;
    }
    if (json == null || this.#isTyped || this.#name.value !== name) return;
    this.#payload.value = pretty(json);
    setText($("dispatch-from"), `This is the payload of entry ${last.id}.`);
  }

  async #send() {
    const payload = this.#payload.value.trim() === "" ? "{}" : this.#payload.value;
    JSON.parse(payload);
    const name = this.#name.value;
    await this.#store.request({ type: "dispatch", name, payload });
    this.#inspector.done(`${name} dispatched`);
  }
}

/** The list of keys. */
export class Help {
  #dialog = $("help");

  constructor(keys, settings) {
    $("help-keys").append(...keys.map(({ shown, does }) => make("div", "help-key",
      make("dt", "", ...shown.map((key) => make("kbd", "", key))), make("dd", "", does))));
    const letters = $("help-letters");
    letters.checked = settings.get("letters") !== "false";
    letters.addEventListener("change", () => settings.set("letters", letters.checked));
  }

  open() {
    this.#dialog.showModal();
  }
}
