// How the person likes the page, kept by the browser where it lets us.

const prefix = "flux-inspector-";

/** Small settings by name. They are forgotten with the page where the browser keeps nothing. */
export class Settings {
  #values = new Map();

  get(name) {
    if (!this.#values.has(name)) this.#values.set(name, read(name));
    return this.#values.get(name);
  }

  set(name, value) {
    this.#values.set(name, String(value));
    try {
      localStorage.setItem(prefix + name, value);
    } catch {
      // Then the setting lasts as long as the page.
    }
  }
}

function read(name) {
  try {
    return localStorage.getItem(prefix + name);
  } catch {
    return null;
  }
}
