/* Signed out in the middle of a task: sign in elsewhere, come back, go on. */
import { $, $$, gettext } from './dom.js';

let again = null;

/** Open the dialog. `again` runs once the session is good. */
export function askToSignIn(options) {
  again = options.again;
  const dialog = $('#session');
  if (dialog && !dialog.open) dialog.showModal();
}

function complain(text) {
  const note = $('#session-note');
  note.textContent = text;
  note.hidden = !text;
}

/** Signing in makes a new CSRF token; the page takes it from a fresh copy of itself. */
async function renew() {
  complain('');
  let page = null;
  try {
    const answer = await fetch(location.href, { credentials: 'same-origin', headers: { Accept: 'text/html' } });
    if (answer.status === 403 || answer.status === 404) {
      complain(gettext('This account cannot open this task. Sign in with the account that you used before.'));
      return;
    }
    page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  } catch {
    complain(gettext('The server cannot be reached. Check your connection and try again.'));
    return;
  }
  const token = $('#judge input[name="csrfmiddlewaretoken"]', page)?.value;
  if (!token) {
    complain(gettext('You are not signed in yet.'));
    return;
  }
  document.body.setAttribute('hx-headers', JSON.stringify({ 'X-CSRFToken': token }));
  for (const input of $$('input[name="csrfmiddlewaretoken"]')) input.value = token;
  $('#session').close();
  again?.();
}

document.addEventListener('click', (event) => {
  if (event.target.closest('[data-act="renew"]')) renew();
});
