/* What htmx sends from the comparison page and what becomes of it: saved, refused, offline, signed out, conflict.
   The only module that knows htmx's event names. */
import { $, gettext, say, toast } from './dom.js';
import { askToSave, currentVersion, draftKey, draftStored, forget, setSaved } from './drafts.js';
import { isReady } from './judge.js';
import { askToSignIn } from './session.js';

const LONGEST_WAIT = 30_000;
const kinds = new WeakMap(); // request -> "draft", "submit" or "skip"
const state = { draftIsOut: false, afterDraft: null, sentVersion: 0, sentKey: '', isSubmitting: false, submitWaits: false, isStuck: false, tries: 0, timer: 0 };

const kindOf = (element) => {
  if (element.id === 'draft') return 'draft';
  if (element.id === 'judge') return 'submit';
  return element.closest?.('#skip') ? 'skip' : '';
};

function showStrip(text, { isBad = false, action = null } = {}) {
  const strip = $('#strip');
  if (!strip) return;
  strip.textContent = text;
  strip.classList.toggle('bad', isBad);
  strip.hidden = !text;
  // The strip takes room from the scrolling part above it: keep the box being typed in visible.
  if (text && document.activeElement?.closest('.steps')) document.activeElement.scrollIntoView({ block: 'nearest' });
  if (!action) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn out';
  button.textContent = action.label;
  button.addEventListener('click', action.run);
  strip.append(button);
}

/** The sentence a refusal carries, whatever its markup; plain text is no markup, whatever it looks like. */
function sentenceOf(xhr, otherwise) {
  const isPlain = (xhr.getResponseHeader('Content-Type') ?? '').startsWith('text/plain');
  const sent = xhr.responseText ?? '';
  const words = isPlain ? sent : new DOMParser().parseFromString(sent, 'text/html').body.textContent;
  const text = words.replace(/\s+/g, ' ').trim();
  return text && text.length <= 300 ? text : otherwise;
}

/** A redirect to the sign-in page arrives as a good answer with the wrong content. */
function isForeign(kind, xhr) {
  if (xhr.status < 200 || xhr.status >= 300) return false;
  return kind === 'draft' ? /<html/i.test(xhr.responseText) : !/id="panel"/.test(xhr.responseText);
}

function tryAgain() {
  clearTimeout(state.timer);
  if (state.submitWaits) $('#judge')?.requestSubmit();
  else askToSave({ now: true });
}

function waitAndTryAgain(kind) {
  setSaved('off', gettext('Not saved yet'));
  if (kind === 'submit') {
    state.submitWaits = true;
    showStrip(gettext('Not sent yet. Your judgement is kept on this device and is sent again by itself.'));
  } else {
    showStrip(gettext('Not saved yet. What you wrote is kept on this device and is sent again by itself.'));
  }
  clearTimeout(state.timer);
  state.timer = setTimeout(tryAgain, Math.min(LONGEST_WAIT, 500 * 2 ** state.tries));
  state.tries += 1;
}

function settled() {
  clearTimeout(state.timer);
  state.tries = 0;
  state.submitWaits = false;
}

function succeeded(kind, xhr) {
  const wasOff = state.tries > 0;
  settled();
  if (kind === 'draft') {
    showStrip('');
    draftStored(state.sentVersion);
    if (wasOff) say(gettext('Saved'));
    return;
  }
  state.isStuck = false;
  const panel = $('#panel');
  if (xhr.status !== 422 && (!panel.dataset.assignment || draftKey(panel) !== state.sentKey)) forget(state.sentKey);
}

function failed(kind, xhr) {
  const status = xhr.status;
  if (status === 401 || status === 403 || isForeign(kind, xhr)) {
    setSaved('off', gettext('Not saved yet'));
    askToSignIn({ again: kind === 'submit' ? () => $('#judge').requestSubmit() : () => askToSave({ now: true }) });
  } else if (kind === 'skip') {
    toast(sentenceOf(xhr, gettext('The task could not be skipped. Check your connection and try again.')));
  } else if (status === 0 || status === 408 || status === 429 || status >= 500) {
    waitAndTryAgain(kind);
  } else {
    settled();
    state.isStuck = true; // sending the same again would fail again
    setSaved('off', gettext('Not saved'));
    const isConflict = status === 409;
    showStrip(
      sentenceOf(
        xhr,
        isConflict ? gettext('This task was changed elsewhere. Your text stays here.') : gettext('The server refused this. Your text stays here.'),
      ),
      { isBad: true, action: { label: isConflict ? gettext('Load the newer version') : gettext('Reload the task'), run: () => location.reload() } },
    );
  }
}

// Before htmx sees the submit: show what is missing instead of asking the server.
document.addEventListener(
  'submit',
  (event) => {
    if (event.target.id !== 'judge' || isReady()) return;
    event.preventDefault();
    event.stopPropagation();
    settled();
  },
  true,
);

// A draft that is on its way changes the revision, so a submit or skip waits for its answer.
document.addEventListener('htmx:confirm', (event) => {
  const kind = kindOf(event.detail.elt);
  if (!state.draftIsOut || !kind || kind === 'draft') return;
  event.preventDefault();
  state.afterDraft = () => event.detail.issueRequest(true);
});

document.addEventListener('htmx:beforeRequest', (event) => {
  const kind = kindOf(event.detail.elt);
  if (!kind) return;
  if (kind === 'draft') {
    if (state.isSubmitting || state.submitWaits || state.isStuck) {
      event.preventDefault();
      return;
    }
    state.draftIsOut = true;
    state.sentVersion = currentVersion();
  } else {
    state.isSubmitting = true;
    state.sentKey = draftKey();
  }
  kinds.set(event.detail.xhr, kind);
});

document.addEventListener('htmx:beforeSwap', (event) => {
  const kind = kinds.get(event.detail.xhr);
  if (!kind || !isForeign(kind, event.detail.xhr)) return;
  event.detail.shouldSwap = false;
  event.detail.isError = true;
});

document.addEventListener('htmx:afterRequest', (event) => {
  const { xhr, successful } = event.detail;
  const kind = kinds.get(xhr);
  if (!kind) return;
  kinds.delete(xhr);
  if (kind === 'draft') state.draftIsOut = false;
  else state.isSubmitting = false;
  const next = state.afterDraft;
  state.afterDraft = null;
  if (successful) succeeded(kind, xhr);
  else failed(kind, xhr);
  next?.();
});

window.addEventListener('online', () => {
  if (state.tries) tryAgain();
});

window.addEventListener('beforeunload', (event) => {
  if (state.submitWaits || (state.tries && $('#saved-line')?.dataset.state === 'off')) event.preventDefault();
});

/** A new panel starts with nothing on its way. */
export function mountSending() {
  settled();
  state.isStuck = false;
}
