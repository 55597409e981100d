/* Audio and video. One plays at a time; or, together: the n-th recordings of all responses play, stop and move as one,
   and only the one that was started is heard. */
import { $, $$, say } from './dom.js';

const CLOSE = 0.15; // seconds that two recordings may be apart before a move counts as one
const DRIFT = 0.3; // seconds that they may drift apart while playing

let isTogether = false;
let leader = null;

const all = () => $$('audio, video');

/** The recordings at the same place of the other responses. */
function companions(player) {
  const pane = player.closest('.pane');
  if (!pane) return [];
  const place = $$('audio, video', pane).indexOf(player);
  return $$('.pane')
    .filter((other) => other !== pane)
    .map((other) => $$('audio, video', other)[place])
    .filter(Boolean);
}

function moveTo(player, time) {
  const target = Number.isFinite(player.duration) ? Math.min(time, player.duration) : time;
  if (Math.abs(player.currentTime - target) > CLOSE) player.currentTime = target;
}

/** Make this one heard and the others follow it. */
function lead(player) {
  leader = player;
  player.muted = false;
  for (const other of companions(player)) other.muted = true;
}

function stop() {
  if (leader) for (const player of [leader, ...companions(leader)]) player.muted = false;
  leader = null;
}

export function toggleTogether() {
  const button = $('[data-act="together"]');
  if (!button || button.hidden) return false;
  isTogether = !isTogether;
  if (!isTogether) stop();
  button.setAttribute('aria-pressed', String(isTogether));
  say(isTogether ? button.dataset.on : button.dataset.off);
  return true;
}

const handlers = {
  play(player, others) {
    for (const other of all()) if (other !== player && !(isTogether && others.includes(other))) other.pause();
    if (!isTogether || !others.length) return;
    const isFollowing = leader && leader !== player && !leader.paused && others.includes(leader);
    if (isFollowing) return;
    lead(player);
    for (const other of others) {
      moveTo(other, player.currentTime);
      if (other.paused && !(player.currentTime >= other.duration)) other.play();
    }
  },
  pause(player, others) {
    if (!isTogether || player.ended || player.seeking) return;
    for (const other of others) if (!other.paused) other.pause();
  },
  seeking(player, others) {
    if (isTogether) for (const other of others) moveTo(other, player.currentTime);
  },
  ratechange(player, others) {
    if (!isTogether) return;
    for (const other of others) if (other.playbackRate !== player.playbackRate) other.playbackRate = player.playbackRate;
  },
  timeupdate(player, others) {
    if (!isTogether || player !== leader || player.seeking) return;
    for (const other of others) {
      if (!other.ended && !other.seeking && Math.abs(other.currentTime - player.currentTime) > DRIFT) moveTo(other, player.currentTime);
    }
  },
  volumechange(player) {
    if (isTogether && leader && player !== leader && !player.muted) lead(player);
  },
};

// Media events do not bubble, so they are caught on the way down.
for (const [type, handle] of Object.entries(handlers)) {
  document.addEventListener(
    type,
    ({ target }) => {
      if (target instanceof HTMLMediaElement) handle(target, companions(target));
    },
    true,
  );
}

document.addEventListener('click', (event) => {
  if (event.target.closest('[data-act="together"]')) toggleTogether();
});

/** A new task: nothing of the old one leads any more, the switch stays as it was. */
export function mountPlayers() {
  leader = null;
  const button = $('[data-act="together"]');
  if (!button) return;
  button.hidden = !$$('.pane audio, .pane video').some((player) => companions(player).length);
  button.setAttribute('aria-pressed', String(isTogether));
}
