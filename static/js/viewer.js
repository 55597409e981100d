/* Image viewer. An image of the prompt opens alone; an image of a response opens beside the same image of the other
   responses, and zooming or moving one moves all. */
import { $, $$, fill, gettext, ngettext } from './dom.js';

const MAX_ZOOM = 12;
const view = { scale: 1, x: 0, y: 0 };
let drag = null;

const figures = () => $$('#viewer .stage figure');

/** x and y are shares of the figure's size, so that figures of different sizes stay in step. */
function draw() {
  view.scale = Math.min(MAX_ZOOM, Math.max(1, view.scale));
  const room = view.scale - 1;
  view.x = Math.min(0, Math.max(-room, view.x));
  view.y = Math.min(0, Math.max(-room, view.y));
  for (const figure of figures()) {
    const { clientWidth, clientHeight } = figure;
    const layer = $('.layer', figure);
    layer.style.transform = `translate(${view.x * clientWidth}px, ${view.y * clientHeight}px) scale(${view.scale})`;
  }
  $('#viewer output').textContent = `${Math.round(view.scale * 100)} %`;
}

/** Zoom by a factor, keeping the point at (x, y), as shares of the figure, where it is. */
function zoom(factor, x = 0.5, y = 0.5) {
  const scale = Math.min(MAX_ZOOM, Math.max(1, view.scale * factor));
  const ratio = scale / view.scale;
  view.x = x - (x - view.x) * ratio;
  view.y = y - (y - view.y) * ratio;
  view.scale = scale;
  draw();
}

function fit() {
  Object.assign(view, { scale: 1, x: 0, y: 0 });
  draw();
}

function figureOf(link) {
  const figure = document.createElement('figure');
  const layer = document.createElement('div');
  layer.className = 'layer';
  const image = new Image();
  image.src = link.href;
  image.alt = link.dataset.label;
  image.draggable = false;
  layer.append(image);
  const caption = document.createElement('figcaption');
  const owner = link.dataset.owner;
  if (owner) {
    figure.dataset.r = owner;
    const badge = document.createElement('span');
    badge.className = 'badge';
    badge.textContent = owner.toUpperCase();
    caption.append(badge);
  }
  caption.append(owner ? fill(gettext('Response %(letter)s'), { letter: owner.toUpperCase() }) : link.dataset.label);
  figure.append(layer, caption);
  return figure;
}

/** The images to show with this one: the n-th image of every response, or the image alone. */
function companions(link) {
  const pane = link.closest('.pane');
  if (!pane) return [link];
  const place = $$('[data-view]', pane).indexOf(link);
  const others = $$('.pane')
    .map((item) => $$('[data-view]', item)[place])
    .filter(Boolean);
  return others.length <= 4 ? others : [link];
}

/** Open the viewer for a link, or for the first image on the page. Returns whether there was one. */
export function openViewer(link = $('#panel [data-view]')) {
  const dialog = $('#viewer');
  if (!link || !dialog) return false;
  const links = companions(link);
  $('.stage', dialog).replaceChildren(...links.map(figureOf));
  const count = links.length;
  const several = fill(ngettext('%(count)s image, side by side', '%(count)s images, side by side', count), { count });
  $('#h-viewer').textContent = count > 1 ? several : link.dataset.label;
  dialog.showModal();
  fit();
  return true;
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('[data-view]');
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && openViewer(link)) event.preventDefault();
  const way = event.target.closest('[data-zoom]')?.dataset.zoom;
  if (way === 'in') zoom(1.5);
  if (way === 'out') zoom(1 / 1.5);
  if (way === 'fit') fit();
});

document.addEventListener(
  'wheel',
  (event) => {
    const figure = event.target.closest?.('.stage figure');
    if (!figure) return;
    event.preventDefault();
    const box = figure.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 400), (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  },
  { passive: false },
);

document.addEventListener('pointerdown', (event) => {
  const figure = event.target.closest('.stage figure');
  if (!figure || event.button !== 0) return;
  figure.setPointerCapture(event.pointerId);
  drag = { x: event.clientX, y: event.clientY, width: figure.clientWidth, height: figure.clientHeight };
});

document.addEventListener('pointermove', (event) => {
  if (!drag) return;
  view.x += (event.clientX - drag.x) / drag.width;
  view.y += (event.clientY - drag.y) / drag.height;
  drag.x = event.clientX;
  drag.y = event.clientY;
  draw();
});

for (const type of ['pointerup', 'pointercancel']) {
  document.addEventListener(type, () => {
    drag = null;
  });
}

document.addEventListener('keydown', (event) => {
  if (!$('#viewer')?.open || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = 0.1;
  const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
  if (event.key === '+' || event.key === '=') zoom(1.5);
  else if (event.key === '-') zoom(1 / 1.5);
  else if (event.key === '0') fit();
  else if (moves[event.key] && view.scale > 1) {
    view.x += moves[event.key][0];
    view.y += moves[event.key][1];
    draw();
  } else return;
  event.preventDefault();
});

addEventListener('resize', () => {
  if ($('#viewer')?.open) draw();
});
