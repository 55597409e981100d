/* Small helpers that every module shares. */

/** A text in the language of the page; the catalogue is there for every language but English. */
export const gettext = (text) => globalThis.django?.gettext?.(text) ?? text;

/** The form of a text that the language uses for so many. */
export const ngettext = (one, many, count) => globalThis.django?.ngettext?.(one, many, count) ?? (count === 1 ? one : many);

/** Put values in the place of %(name)s. */
export const fill = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));

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

/** Whether an event concerns the judgement: flags and rewrites stand outside of the form, but belong to it. */
export const isJudgement = ({ target }) => target.id === 'judge' || target.form?.id === 'judge';

export const isTyping = (element) =>
  Boolean(
    element?.closest?.('textarea, select, [contenteditable], input:not([type="radio"], [type="checkbox"], [type="file"])'),
  );
