// The token of a service that asks for one. It is kept for this tab and until the tab is closed, and
// sent to the service itself only.

const NAME = "cardfeed/token";
const element = (id) => document.getElementById(id);

let token = stored();
let asking = null;

function stored() {
  // A browser may keep nothing for this page.
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}

function keep(value) {
  token = value;
  try {
    sessionStorage.setItem(NAME, value);
  } catch {
    // Then it is asked for after each reload.
  }
}

/** `fetch` with the token. Whenever the service wants another one, the request waits until somebody
 * has given it, and is sent again.
 * @param options makes the options, anew for each attempt */
export async function send(path, options) {
  for (;;) {
    const used = token;
    const { headers, ...rest } = options();
    const authorization = used === null ? {} : { Authorization: `Bearer ${used}` };
    const response = await fetch(path, { ...rest, headers: { ...headers, ...authorization } });
    if (response.status !== 401) return response;
    await response.body?.cancel();
    // Another request may have asked meanwhile.
    if (used !== token) continue;
    asking ??= ask(used !== null).finally(() => { asking = null; });
    await asking;
  }
}

/** @param wasRefused whether there is a token that the service did not take */
function ask(wasRefused) {
  const form = element("access");
  const field = element("access-token");
  form.hidden = false;
  element("access-problem").textContent = wasRefused ? "The service does not take this token." : "";
  field.setAttribute("aria-invalid", String(wasRefused));
  field.focus();
  return new Promise((done) => {
    form.onsubmit = (event) => {
      event.preventDefault();
      const value = field.value.trim();
      if (!/^[\x21-\x7e]+$/.test(value)) {
        element("access-problem").textContent = "A token is of letters, digits and signs, without spaces.";
        field.setAttribute("aria-invalid", "true");
        return;
      }
      keep(value);
      field.value = "";
      form.hidden = true;
      // Cards are not there yet.
      element("main").focus({ preventScroll: true });
      done();
    };
  });
}
