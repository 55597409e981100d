/* Nothing typed is lost: every change goes to this device at once, then to the server as a draft.
   A local copy is {values, revision, isSent}: the revision it was based on tells whether the server has moved on. */
import { $, changed, fill, gettext, isJudgement, store } from './dom.js';

const NOT_CONTENT = new Set([
  'csrfmiddlewaretoken', 'key', 'revision', 'turn', 'page', 'change', 'active', 'idle', 'warned', 'accepted_warnings', 'letter', 'pasted',
]);

/** Names this page to the server, a reload of it included: what it saved last may still be on its way when it is drawn anew. */
function pageName() {
  const isReload = performance.getEntriesByType('navigation')[0]?.type === 'reload';
  let name = null;
  try {
    name = isReload ? sessionStorage.getItem('page') : null;
    name ??= `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
    sessionStorage.setItem('page', name);
  } catch {
    /* storage is blocked: the form's own key names the page */
  }
  return name ?? '';
}

const page = pageName();

let version = 0; // counts changes, so that an answer to an older draft does not pass for the newest

export const draftKey = (panel = $('#panel')) => `draft:${panel.dataset.assignment}:${panel.dataset.turn}`;

function valuesOf(form) {
  const values = {};
  for (const [field, value] of new FormData(form)) if (!NOT_CONTENT.has(field)) (values[field] ??= []).push(value);
  return values;
}

export function setSaved(state, text) {
  const line = $('#saved-line');
  if (!line) return;
  line.dataset.state = state;
  if (text !== undefined) $('#saved').textContent = text;
}

function remember(isSent) {
  const form = $('#judge');
  store.set(draftKey(), { values: valuesOf(form), revision: $('#revision').value, isSent });
}

export const currentVersion = () => version;

/** The server has stored the draft of that version: the local copy is no longer the only one. */
export function draftStored(sentVersion) {
  const isNewest = sentVersion === version;
  remember(isNewest);
  setSaved(isNewest ? 'saved' : 'saving', isNewest ? undefined : gettext('Saving…'));
}

/** Ask for a draft to be sent: now, or after the pause that ends a burst of typing. */
export function askToSave({ now = false } = {}) {
  $('#judge')?.dispatchEvent(new CustomEvent(now ? 'draft:now' : 'draft:save', { bubbles: true }));
}

export const forget = (key) => store.remove(key);

function groups(form) {
  const byName = new Map();
  for (const element of form.elements) {
    if (!element.name || element.type === 'hidden' || element.type === 'submit' || NOT_CONTENT.has(element.name)) continue;
    byName.set(element.name, [...(byName.get(element.name) ?? []), element]);
  }
  return byName;
}

const isChoice = (element) => element.type === 'radio' || element.type === 'checkbox';

/** Put the local values into the form. Returns the text the server also has, but different: the person decides. */
function apply(values, form, localWins) {
  const disputed = [];
  for (const [field, elements] of groups(form)) {
    const local = values[field] ?? [];
    if (isChoice(elements[0])) {
      const isEmpty = !elements.some((element) => element.checked);
      if (localWins || isEmpty) for (const element of elements) element.checked = local.includes(element.value);
      continue;
    }
    const box = elements[0];
    const text = local[0] ?? '';
    // A local text that only goes on where the server's ends is the same text, further on.
    if (localWins || text.startsWith(box.value)) box.value = text;
    else if (text && text !== box.value && !box.value.startsWith(text) && !box.hidden) disputed.push({ box, text });
    const more = box.closest('details');
    if (more && box.value) more.open = true;
  }
  return disputed;
}

function offer({ box, text }) {
  const note = document.createElement('div');
  note.className = 'strip';
  const written = text.length > 160 ? `${text.slice(0, 160)}…` : text;
  note.textContent = fill(gettext('There is a newer draft from elsewhere. On this device you had also written: “%(text)s”'), { text: written });
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn out';
  button.textContent = gettext('Add it');
  button.addEventListener('click', () => {
    box.value = `${box.value}\n${text}`;
    note.remove();
    box.focus();
    changed(box);
  });
  note.append(button);
  box.before(note);
}

/** After a page was opened: take over what this device has and the server has not. */
export function mountDrafts() {
  const form = $('#judge');
  version = 0;
  if (!form) return;
  $('#page').value = page;
  const local = store.get(draftKey());
  if (!local?.values || local.isSent) return;
  const disputed = apply(local.values, form, local.revision === $('#revision').value);
  disputed.forEach(offer);
  changed(form);
}

document.addEventListener('input', (event) => {
  if (!isJudgement(event)) return;
  version += 1;
  $('#change').value = String(Date.now());
  remember(false);
  if ($('#saved-line').dataset.state !== 'off') setSaved('saving', gettext('Saving…'));
  askToSave();
});

// Leaving the tab ends the pause after typing.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden' && $('#saved-line')?.dataset.state === 'saving') askToSave({ now: true });
});
