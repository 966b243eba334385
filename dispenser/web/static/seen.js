// Keeps a connection open for as long as the page is seen, and opens it again after every interruption.

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5000;

/**
 * A phone that sleeps kills its connections and tells nobody, and a browser has six for all its tabs: so there is one
 * only while the page is seen, and a new one each time that it is seen again.
 * @param {{open: () => void, close: () => void, lost: () => void}} line `lost`: the network has gone
 */
export function whileSeen({ open, close, lost }) {
  let wait = FIRST_WAIT_MS;
  let timer = 0;
  let paused = false;

  function now() {
    clearTimeout(timer);
    open();
  }
  function stop() {
    clearTimeout(timer);
    close();
  }
  function look() {
    if (document.visibilityState === "hidden") stop();
    else if (!paused) now();
  }
  document.addEventListener("visibilitychange", look);
  addEventListener("online", look);
  addEventListener("offline", () => {
    if (!paused) lost();
  });
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => {
    if (event.persisted) look();
  });
  return {
    /** Begins, or begins anew. */
    now() {
      paused = false;
      now();
    },
    /** It did not come about: tries again, later each time. */
    later() {
      clearTimeout(timer);
      timer = setTimeout(open, wait);
      wait = Math.min(LONGEST_WAIT_MS, wait * 2);
    },
    opened() {
      wait = FIRST_WAIT_MS;
    },
    /** Nothing is tried until `now`. */
    pause() {
      paused = true;
      stop();
    },
  };
}
