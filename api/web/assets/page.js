// The one script of the account pages. Everything works without it; it only spares a few movements of the hand.

/** Buttons that copy what stands in another element: they are there only where they work. */
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

/** A form is sent once, however often its button is pressed. */
for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'true';
  });
  // The page may come back from the browser's memory of pages.
  window.addEventListener('pageshow', () => delete form.dataset.sent);
}
