// Saves forms without reloading the page, and shows the progress of uploads: on the page that sends a letter, and where a
// list of letters is uploaded. Everything works without it.

const root = document.querySelector('[data-send]');
const status = document.getElementById('send-status');
const enhanced = 'form[method="post"]:not([action$="/confirm"])';
const pollMs = { first: 1_000, most: 5_000 };

/** Forms are sent one after the other, so each sees the draft that the one before it has saved. */
let queue = Promise.resolve();
/** What the server sent last for each part of the page: the script changes what is shown. */
const received = new Map();
const poll = { delayMs: pollMs.first, timer: 0 };

/** Sends a form. Returns the answer as a document with the address that it came from. */
function post(form, body, onProgress = () => {}) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    // Not `form.action`, which is the button with that name.
    request.open('POST', form.getAttribute('action'));
    request.upload.addEventListener('progress', onProgress);
    request.addEventListener('load', () => resolve(read(request)));
    for (const name of ['error', 'abort', 'timeout']) request.addEventListener(name, () => reject(new Error(name)));
    request.send(body);
  });
}

function read(request) {
  const page = new DOMParser().parseFromString(request.responseText, 'text/html');
  const hasRegions = page.querySelector('[data-send]') !== null;
  return { page, url: request.responseURL, hasRegions, isSaved: request.status < 400 };
}

/** Whether someone has typed something in this part of the page that is not saved. */
function isUnsaved(region) {
  return [...region.querySelectorAll('input, textarea, select')].some((field) => {
    if (field.type === 'hidden' || field.type === 'file' || field.closest('[data-sending]')) return false;
    if (field.type === 'checkbox' || field.type === 'radio') return field.checked !== field.defaultChecked;
    if (field.tagName === 'SELECT')
      return [...field.options].some((option) => option.selected !== option.defaultSelected && option.index > 0);
    return field.value !== field.defaultValue;
  });
}

/** Replaces the parts of the page that have changed, and keeps the focus and what is open. */
function show({ page, url }, sentRegion) {
  const focused = describeFocus();
  for (const region of document.querySelectorAll('[data-region]')) {
    const { region: name } = region.dataset;
    const next = page.querySelector(`[data-region="${name}"]`);
    const content = next?.innerHTML;
    if (!next || received.get(name) === content) continue;
    if (region !== sentRegion && isUnsaved(region)) {
      updateHidden(region, next);
      continue;
    }
    const open = [...region.querySelectorAll('details[open]')].map(({ id }) => id);
    region.replaceChildren(...next.childNodes);
    received.set(name, content);
    for (const id of open)
      if (!sentRegion || region !== sentRegion) document.getElementById(id)?.setAttribute('open', '');
  }
  const address = new URL(url);
  // A refused form has the address of its action.
  if (address.pathname.endsWith('/account/send')) history.replaceState(null, '', address.pathname + address.search);
  restoreFocus(focused, sentRegion);
  prepare();
}

/** The forms that stay on the page name the draft that the first form began. */
function updateHidden(region, next) {
  for (const name of ['draft', 'mode', 'revision']) {
    const value = next.querySelector(`input[name="${name}"]`)?.value;
    if (value === undefined) continue;
    for (const field of region.querySelectorAll(`input[type="hidden"][name="${name}"]`)) field.value = value;
  }
}

function describeFocus() {
  const it = document.activeElement;
  if (!it || !root.contains(it)) return null;
  return { id: it.id, label: it.getAttribute('aria-label') ?? it.textContent, name: it.tagName, value: it.value };
}

/** The same element, else a button with the same name, else the step. */
function restoreFocus(focused, sentRegion) {
  if (!focused || root.contains(document.activeElement)) return;
  const alert = sentRegion?.querySelector('[role="alert"]');
  const same = focused.id ? document.getElementById(focused.id) : null;
  const alike = [...root.querySelectorAll(focused.name)].find(
    (each) => (each.getAttribute('aria-label') ?? each.textContent) === focused.label && each.value === focused.value,
  );
  const target = same ?? alike ?? sentRegion?.closest('.step');
  if (alert) {
    alert.tabIndex = -1;
    alert.focus();
  } else target?.focus({ preventScroll: target === sentRegion?.closest('.step') });
}

function say(text) {
  status.textContent = '';
  // A text that is the same again is announced too.
  requestAnimationFrame(() => {
    status.textContent = text;
  });
}

function sayTotal() {
  const total = document.querySelector('.send-total')?.textContent ?? '';
  say(`${root.dataset.saved} ${total}`.trim());
}

/** Sends a form and shows what it changed. Leaves the page when the answer is another one. */
async function save(form, body, onProgress) {
  const region = form.closest('[data-region]');
  form.dataset.sending = 'true';
  region?.setAttribute('aria-busy', 'true');
  form.querySelector('.error.unsent')?.remove();
  try {
    const answer = await post(form, body, onProgress);
    if (!answer.hasRegions) return location.assign(answer.url.includes('/account/send/') ? location.href : answer.url);
    show(answer, region);
    if (answer.isSaved) sayTotal();
  } catch {
    say(root.dataset.failed);
    const note = document.createElement('p');
    note.className = 'error';
    note.textContent = root.dataset.failed;
    note.classList.add('unsent');
    form.append(note);
  } finally {
    delete form.dataset.sending;
    region?.removeAttribute('aria-busy');
  }
}

function enqueue(work) {
  queue = queue.then(work, work);
  return queue;
}

document.addEventListener(
  'submit',
  (event) => {
    const form = event.target;
    if (!root.contains(form)) return;
    if (form.dataset.search !== undefined) {
      event.preventDefault();
      search(form);
      return;
    }
    if (!form.matches(enhanced)) {
      // A second click on the last button. The server would show the same letter.
      if (form.dataset.sent) event.preventDefault();
      form.dataset.sent = 'true';
      event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (form.dataset.sending) return;
    if (isWhole(form)) return void uploadWhole(form, event.submitter);
    if (form.getAttribute('enctype') === 'multipart/form-data')
      return void upload(form, [...form.querySelector('[type="file"]').files]);
    const body = new URLSearchParams(new FormData(form, event.submitter));
    enqueue(() => save(form, body));
  },
  { capture: true },
);

/** Options are saved when they change. */
document.addEventListener('change', (event) => {
  const form = event.target.form;
  if (isWhole(form)) return;
  if (event.target.type === 'file' && root.contains(event.target)) return void upload(form, [...event.target.files]);
  if (!form?.closest('[data-region="choices"]')) return;
  const body = new URLSearchParams(new FormData(form));
  enqueue(() => save(form, body));
});

/** Searches the address book without losing what is typed elsewhere. */
async function search(form) {
  const url = `${form.getAttribute('action').split('#')[0]}?${new URLSearchParams(new FormData(form))}`;
  try {
    const answer = await fetch(url);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const [list, next] = [document, page].map((from) => from.querySelector('#way-book [data-found]'));
    if (list && next) list.replaceChildren(...next.childNodes);
  } catch {
    say(root.dataset.failed);
  }
}

function progressRow(filename) {
  const row = document.createElement('li');
  const progress = document.createElement('progress');
  const name = document.createElement('span');
  name.textContent = root.dataset.uploading.replace('{name}', () => filename);
  progress.setAttribute('aria-label', name.textContent);
  progress.max = 1;
  progress.value = 0;
  row.append(name, progress);
  return { row, progress };
}

function progressOf(progress) {
  return ({ loaded, total }) => {
    progress.value = total === 0 ? 0 : loaded / total;
  };
}

/** Whether a form is sent as a whole when it is submitted, not file by file as they are chosen. */
function isWhole(form) {
  return root.contains(form) && form.querySelector('[data-uploads="whole"]') !== null;
}

/** Sends a form with its files, with one progress for all. */
function uploadWhole(form, submitter) {
  const list = form.querySelector('[data-uploads]');
  const names = [...form.querySelectorAll('[type="file"]')].flatMap(({ files }) => [...files].map(({ name }) => name));
  const { row, progress } = progressRow(names.join(', '));
  const body = new FormData(form, submitter);
  form.dataset.sending = 'true';
  if (names.length > 0) {
    list.replaceChildren(row);
    list.hidden = false;
    say(progress.getAttribute('aria-label'));
  }
  enqueue(async () => {
    await save(form, body, progressOf(progress));
    row.remove();
  });
}

/** Uploads files one after the other, each with its progress. */
function upload(form, files) {
  const list = form.querySelector('[data-uploads]');
  if (files.length === 0) return;
  const rows = files.map((file) => ({ file, ...progressRow(file.name) }));
  list.append(...rows.map(({ row }) => row));
  list.hidden = false;
  say(rows.map(({ progress }) => progress.getAttribute('aria-label')).join(', '));
  for (const { file, row, progress } of rows) {
    enqueue(async () => {
      // The form of this moment: the one before it has replaced the part of the page.
      const current = document.querySelector('form[enctype="multipart/form-data"]') ?? form;
      if (!row.isConnected) pending(current, rows, row);
      const body = new FormData();
      for (const { name, value } of current.querySelectorAll('input[type="hidden"]')) body.append(name, value);
      // Refused files of this choice stay listed.
      if (file !== files[0]) body.append('further', 'yes');
      body.append('files', file, file.name);
      await save(current, body, progressOf(progress));
      row.remove();
    });
  }
}

/** Shows the uploads that are still to come on the new part of the page. */
function pending(form, rows, from) {
  const list = form.querySelector('[data-uploads]');
  if (!list) return;
  const rest = rows.map(({ row }) => row);
  list.append(...rest.slice(rest.indexOf(from)));
  list.hidden = false;
}

function isOverZone(event) {
  return event.target instanceof Element && event.target.closest('[data-drop]');
}

for (const name of ['dragenter', 'dragover']) {
  document.addEventListener(name, (event) => {
    const zone = isOverZone(event);
    if (!zone || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    zone.classList.add('over');
  });
}
document.addEventListener('dragleave', (event) => isOverZone(event)?.classList.remove('over'));
document.addEventListener('drop', (event) => {
  const zone = isOverZone(event);
  if (!zone) return;
  event.preventDefault();
  zone.classList.remove('over');
  upload(zone.closest('form'), [...event.dataTransfer.files]);
});

/** While the files are checked, asks for the result with growing delay. */
function schedulePoll() {
  clearTimeout(poll.timer);
  if (!document.querySelector('[data-poll]')) {
    poll.delayMs = pollMs.first;
    return;
  }
  poll.timer = setTimeout(() => {
    enqueue(async () => {
      try {
        const answer = await fetch(location.href);
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        if (page.querySelector('[data-send]')) show({ page, url: answer.url }, null);
      } catch {
        // The connection may be back at the next look.
      }
      schedulePoll();
    });
  }, poll.delayMs);
  poll.delayMs = Math.min(poll.delayMs * 1.5, pollMs.most);
}

/** Shows what needs the script, and hides what replaces it. */
function prepare() {
  for (const element of document.querySelectorAll('[data-without-script]')) element.hidden = true;
  for (const zone of document.querySelectorAll('[data-drop]')) {
    zone.classList.add('scripted');
    for (const hint of zone.querySelectorAll('.drop-hint')) hint.hidden = false;
  }
  schedulePoll();
}

if (root) {
  for (const region of document.querySelectorAll('[data-region]'))
    received.set(region.dataset.region, region.innerHTML);
  prepare();
}
