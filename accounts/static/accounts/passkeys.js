// Passkeys: asks the browser to make one, or to use one, and sends its answer with the form.
const form = document.querySelector("[data-passkey]");
const state = form.querySelector("[data-passkey-state]");
const { passkey: verb, options, unable, failed } = form.dataset;

const isAble = isSecureContext && "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential;

async function ask() {
  const described = JSON.parse(options);
  const credential = verb === "create"
    ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(described) })
    : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(described) });
  return JSON.stringify(credential);
}

form.addEventListener("submit", async (event) => {
  const { answer } = form.elements;
  if (answer.value) return; // the second submit, with the answer
  event.preventDefault();
  try {
    answer.value = await ask();
  } catch {
    state.textContent = failed;
    return;
  }
  form.requestSubmit();
});

if (isAble) form.querySelector("[type=submit]").hidden = false;
else state.textContent = unable;
