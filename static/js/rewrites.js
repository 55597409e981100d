/* Rewriting a response in its own pane: write, see it rendered, see what changed. */
import { $, $$, changed, fill, gettext, say } from './dom.js';

const paneOf = (letter) => $(`#pane-${letter}`);
const boxOf = (letter) => $(`[data-rewrite="${letter}"]`);
const original = (letter) => $('template', paneOf(letter)).content.textContent;
const same = (one, other) => one.replace(/\r\n?/g, '\n').normalize('NFC').trim() === other.replace(/\r\n?/g, '\n').normalize('NFC').trim();

/** Whether the response has a rewrite: a text that is not the original. */
export function isRewritten(letter) {
  const box = boxOf(letter);
  return Boolean(box && box.value.trim() && !same(box.value, original(letter)));
}

function refresh(letter) {
  const button = $(`[data-rewrite-open="${letter}"]`);
  if (!button) return;
  const isDone = isRewritten(letter);
  button.classList.toggle('is-rewritten', isDone);
  $('span', button).textContent = isDone ? gettext('Rewritten') : gettext('Rewrite');
}

function showMode(letter, mode) {
  $(`#editor-${letter}`).dataset.mode = mode;
  for (const button of $$(`[data-mode-of="${letter}"]`)) button.setAttribute('aria-pressed', String(button.value === mode));
  if (mode === 'write') boxOf(letter).focus();
}

function show(letter, isOpen) {
  const pane = paneOf(letter);
  pane.classList.toggle('writing', isOpen);
  $(`#editor-${letter}`).hidden = !isOpen;
  $(`[data-rewrite-open="${letter}"]`).setAttribute('aria-expanded', String(isOpen));
}

function open(letter) {
  const box = boxOf(letter);
  if (!box.value) {
    box.value = original(letter);
    box.setSelectionRange(0, 0);
  }
  show(letter, true);
  showMode(letter, 'write');
  box.dispatchEvent(new CustomEvent('rewrite:show', { bubbles: true }));
}

function close(letter) {
  show(letter, false);
  $(`[data-rewrite-open="${letter}"]`).focus();
  const text = isRewritten(letter) ? gettext('Response %(letter)s is rewritten') : gettext('Response %(letter)s is unchanged');
  say(fill(text, { letter: letter.toUpperCase() }));
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-rewrite-open], [data-rewrite-close], [data-rewrite-drop], [data-mode-of]');
  if (!button) return;
  const { rewriteOpen, rewriteClose, rewriteDrop, modeOf } = button.dataset;
  if (rewriteOpen) (paneOf(rewriteOpen).classList.contains('writing') ? close : open)(rewriteOpen);
  if (rewriteClose) close(rewriteClose);
  if (modeOf) showMode(modeOf, button.value);
  if (rewriteDrop) {
    boxOf(rewriteDrop).value = '';
    changed(boxOf(rewriteDrop));
    close(rewriteDrop);
  }
});

document.addEventListener('input', (event) => {
  const letter = event.target.dataset?.rewrite;
  if (letter) refresh(letter);
});

export function mountRewrites() {
  for (const box of $$('[data-rewrite]')) {
    refresh(box.dataset.rewrite);
    if (box.getAttribute('aria-invalid') === 'true') open(box.dataset.rewrite);
  }
}
