/* Small helpers that every module shares. */

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Tell screen readers something. Emptied first, so that the same sentence twice is read twice. */
export function say(text) {
  const live = $('#live');
  live.textContent = '';
  requestAnimationFrame(() => {
    live.textContent = text;
  });
}

let toastTimer = 0;

/** Show a sentence for a few seconds and read it out. */
export function toast(text) {
  const box = $('#toast');
  box.textContent = text;
  say(text);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    box.textContent = '';
  }, 4500);
}

/** localStorage that never throws: it may be full, or blocked. */
export const store = {
  get(key) {
    try {
      return JSON.parse(localStorage.getItem(key) ?? 'null');
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },
  remove(key) {
    try {
      localStorage.removeItem(key);
    } catch {
      /* nothing to remove */
    }
  },
};

/** Fire the event that typing would fire, so that every listener sees a change made by script. */
export const changed = (element) => element.dispatchEvent(new Event('input', { bubbles: true }));

export const isTyping = (element) =>
  Boolean(
    element?.closest?.('textarea, select, [contenteditable], input:not([type="radio"], [type="checkbox"], [type="file"])'),
  );
