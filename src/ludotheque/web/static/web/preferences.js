// What a visitor has chosen for this browser, kept in cookies: the house reads some of it when it draws a page.

const AGE = 34560000; // seconds, as long as browsers keep a cookie

export function kept(name) {
  return document.cookie.split("; ").find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
}

export function keep(name, value) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${name}=${value}; path=/; max-age=${AGE}; samesite=lax${secure}`;
}
