// Elements of the page, and texts with gaps: what scripts and modules share.

globalThis.element = (tag, properties = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties))
    if (name in node) node[name] = value;
    else node.setAttribute(name, value);
  node.append(...children);
  return node;
};
globalThis.button = (text, onclick, properties) => element("button", { type: "button", onclick, ...properties }, text);
globalThis.fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
