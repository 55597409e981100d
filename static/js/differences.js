/* What differs between the responses, word by word. The server marks it when it is asked for the first time. */
import { $, $$, say, toast } from './dom.js';

let isOn = false;

async function fetchPanes(url) {
  const answer = await fetch(url, { headers: { Accept: 'application/json' } });
  if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
  const { alike, panes } = await answer.json();
  return alike ? panes : null;
}

function fill(panes) {
  for (const [letter, html] of Object.entries(panes)) {
    const marked = document.createElement('div');
    marked.className = 'raw marked diff';
    marked.dir = 'auto';
    marked.innerHTML = html; // escaped text in <ins> and <del>, made by the server
    $(`#pane-${letter} .body`).prepend(marked);
  }
}

export async function toggleDifferences() {
  const button = $('[data-act="diff"]');
  if (!button) return;
  if (!$('.pane .marked')) {
    try {
      const panes = await fetchPanes(button.dataset.url);
      if (!panes) return toast(button.dataset.unlike);
      fill(panes);
    } catch {
      return toast(button.dataset.failed);
    }
  }
  isOn = !isOn;
  for (const pane of $$('.pane .body')) pane.classList.toggle('differs', isOn);
  button.setAttribute('aria-pressed', String(isOn));
  say(isOn ? button.dataset.on : button.dataset.off);
}

document.addEventListener('click', (event) => {
  if (event.target.closest('[data-act="diff"]')) toggleDifferences();
});

/** A new task starts without marks. */
export function mountDifferences() {
  isOn = false;
}
