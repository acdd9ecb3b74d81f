// Texts that this browser keeps: `lasting` for good, `passing` until the tab is closed. What it refuses to keep, or has no
// room for, is in memory until the page is left.
function storage(area) {
  const memory = new Map();
  return {
    // The text, or null.
    get(key) {
      try {
        return memory.get(key) ?? window[area].getItem(key);
      } catch {
        return null;
      }
    },

    set(key, text) {
      memory.set(key, text);
      try {
        window[area].setItem(key, text);
        memory.delete(key);
      } catch {
        // it stays in memory
      }
    },

    remove(key) {
      memory.delete(key);
      try {
        window[area].removeItem(key);
      } catch {
        // there was nothing
      }
    },
  };
}

export const lasting = storage("localStorage");
export const passing = storage("sessionStorage");
