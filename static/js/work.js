/* The comparison page. Listeners are on the document and live as long as the page; what belongs to one task is set up
   again whenever htmx puts a new #panel in place. */
import './main.js';
import { $, toast } from './dom.js';
import { mountJudge } from './judge.js';
import { mountDrafts } from './drafts.js';
import { mountSending } from './sending.js';
import { mountReading } from './reading.js';
import { mountKeys } from './keys.js';
import { mountPlayers } from './players.js';
import { mountDifferences } from './differences.js';
import { mountFlags } from './flags.js';
import { mountRewrites } from './rewrites.js';
import { mountReferences } from './references.js';
import { mountActiveTime } from './active-time.js';
import './pasting.js';
import './warnings.js';
import './viewer.js';

let mounted = null;

function mount() {
  mounted = $('#panel');
  mountSending();
  mountJudge();
  mountReading();
  mountPlayers();
  mountDifferences();
  mountKeys();
  mountDrafts();
  mountReferences();
  mountFlags();
  mountRewrites();
  mountActiveTime();
  const notice = $('[data-notice]', mounted);
  if (notice) toast(notice.textContent);
}

/** A new panel: title, top of the page, and focus on what is wrong or else on the heading. */
function arrive() {
  if (mounted.dataset.title) document.title = mounted.dataset.title;
  window.scrollTo(0, 0);
  const target = $('[data-autofocus]', mounted) ?? $('h1[data-autofocus]');
  target?.focus({ preventScroll: !mounted.contains(target) });
}

document.addEventListener('htmx:afterSettle', () => {
  if ($('#panel') === mounted) return;
  mount();
  arrive();
});

// Not before htmx has bound its triggers, which it does at the same event: a draft that this device has and the server
// has not is sent at once, and nobody would hear it.
document.addEventListener('DOMContentLoaded', mount, { once: true });
