// The visitor's preferences for this browser, in cookies: the server reads some of them when it renders a page.

const MAX_AGE_S = 34560000; // 400 days, the longest that browsers keep a cookie

/** @param {string} name */
export function preference(name) {
  const cookie = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  return cookie?.slice(name.length + 1) ?? "";
}

/**
 * @param {string} name
 * @param {string} value
 */
export function setPreference(name, value) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${name}=${value}; path=/; max-age=${MAX_AGE_S}; samesite=lax${secure}`;
}
