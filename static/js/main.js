/* Every page: theme switch, dialogs, one player at a time. */
import { $ } from './dom.js';
import './players.js';

function switchTheme() {
  const root = document.documentElement;
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : systemIsDark;
  root.dataset.theme = isDark ? 'light' : 'dark';
  try {
    localStorage.setItem('theme', root.dataset.theme);
  } catch {
    /* the choice lasts for this page only */
  }
}

document.addEventListener('click', (event) => {
  const action = event.target.closest('[data-act]')?.dataset.act;
  if (action === 'theme') switchTheme();
  if (action === 'close') event.target.closest('dialog')?.close();
  // A click on the backdrop has the dialog itself as its target, outside of its box.
  if (event.target instanceof HTMLDialogElement && event.target.id !== 'session') {
    const box = event.target.getBoundingClientRect();
    const inside =
      event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    if (!inside) event.target.close();
  }
});

// On a narrow screen the navigation scrolls: bring the current page's entry into sight.
$('.nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
