// The script of the account pages. Everything works without it.

/** Copy buttons. They stay hidden where the clipboard is not available. */
for (const button of document.querySelectorAll('button[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  if (!source || !navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(source.textContent);
    const label = button.querySelector('.label');
    label.textContent = button.dataset.done;
    button.classList.add('done');
  });
}

/** Prevents submitting a form twice. */
for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'true';
  });
  // Browsers may restore the page from the back/forward cache.
  window.addEventListener('pageshow', () => delete form.dataset.sent);
}
