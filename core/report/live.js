// Reloads the page when the server has other results, says when the server has ended, gives the page the playground's
// theme, opens the case that a link leads to, and lets only several runs be compared.
const ended = Object.assign(document.createElement("span"), { role: "alert", textContent: "The server has ended: these results may be old." });
setInterval(() => document.hidden || fetch("version").then(async (r) => {
  ended.remove();
  if (r.ok && (await r.text()) !== document.body.dataset.version) location.reload();
}, () => ended.isConnected || document.querySelector("nav").append(ended)), 2000);
document.documentElement.dataset.theme = localStorage.getItem("rubric-theme") ?? "auto";

const openLinked = () => document.getElementById(location.hash.slice(1))?.closest(".case")?.querySelector(".body").setAttribute("open", "");
addEventListener("hashchange", openLinked);
openLinked();

for (const form of document.forms) {
  const update = () => (form.querySelector("button").disabled = form.querySelectorAll(":checked").length < 2);
  form.addEventListener("input", update);
  addEventListener("pageshow", update); // also when the browser has kept the ticks
  update();
}
