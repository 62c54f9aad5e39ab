// What the comparison needs to know of elements, in the isolated world of one frame. It changes nothing in the page.
//
// Called with the reader's numbers of our controls, and the elements behind the nodes of the accessibility tree; answers
// with the reader's number of each of those (0 for what is no element), and with facts by number.
(function (/** @type {number[]} */ ours, /** @type {Node[]} */ ...theirs) {
  const parentOf = (el) => el.assignedSlot || el.parentElement || (el.getRootNode() instanceof ShadowRoot ? el.getRootNode().host : null);
  const numberOf = (el) => webhand.idOf.call(el);

  /** The box of an element, or of what it holds where it has none of its own. */
  const boxOf = (el) => {
    const box = el.getBoundingClientRect();
    if (box.width >= 1 && box.height >= 1) return box;
    for (const inner of el.querySelectorAll('*')) {
      const part = inner.getBoundingClientRect();
      if (part.width >= 1 && part.height >= 1) return part;
    }
    return null;
  };

  const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
  const cutAway = (style) => /^inset\((50|100)%/.test(style.clipPath) || /^rect\((0px|1px)(,? )(0px|1px)\2(0px|1px)\2(0px|1px)\)$/.test(style.clip);

  /** Whether something of it is left by all that clips it, once scrolled to where a scroll bar leads. */
  const isLeft = (el) => {
    const box = boxOf(el);
    if (!box || box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return false;
    let { left, top, right, bottom } = box;
    let { position } = getComputedStyle(el);
    for (let node = el; node && node !== document.body; node = parentOf(node)) {
      const style = getComputedStyle(node);
      if (cutAway(style)) return false;
      if (node === el || style.display === 'contents') continue;
      if (position === 'fixed') break;
      if (position === 'absolute' && style.position === 'static' && style.transform === 'none') continue;
      const port = node.getBoundingClientRect();
      if (hides(style.overflowX)) [left, right] = [Math.max(left, port.left), Math.min(right, port.right)];
      else if (style.overflowX !== 'visible') [left, right] = [port.left, port.right];
      if (hides(style.overflowY)) [top, bottom] = [Math.max(top, port.top), Math.min(bottom, port.bottom)];
      else if (style.overflowY !== 'visible') [top, bottom] = [port.top, port.bottom];
      if (right - left < 1 || bottom - top < 1) return false;
      position = style.position;
    }
    return true;
  };

  /** The slot that shows the text of a host at a point: the click goes to the slot, not to the host. */
  const slotAt = (host, x, y) => {
    for (const node of host.childNodes) {
      if (node.nodeType !== 3 || !node.assignedSlot) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      if ([...range.getClientRects()].some((box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom)) return node.assignedSlot;
    }
    return null;
  };

  /** What a click at a point lands on. */
  const hitAt = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    while (hit?.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit || inner.getRootNode() !== hit.shadowRoot) return slotAt(hit, x, y) || hit;
      hit = inner;
    }
    return hit;
  };

  /** Whether a click at its middle lands on it. */
  const isHit = (el) => {
    const box = boxOf(el);
    const hit = box && hitAt(box.left + box.width / 2, box.top + box.height / 2);
    return !!hit && nearest(hit, (node) => node === el) !== null;
  };

  /** How it stands on the page: to be seen; not to be seen but hit by a click; drawn but neither; or not drawn at all. */
  const standOf = (el) => {
    if (!el.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) return 'none';
    const left = isLeft(el);
    if (left && el.checkVisibility({ opacityProperty: true })) return 'seen';
    return left && isHit(el) ? 'hit' : 'drawn';
  };

  const nearest = (el, matches) => {
    for (let node = el; node; node = parentOf(node)) if (matches(node)) return node;
    return null;
  };

  /** Tag, id and first class: what a person would look for. */
  const segment = (el) => {
    const first = el.getAttribute('class')?.trim().split(/\s+/)[0];
    return el.localName + (el.id ? `#${el.id}` : '') + (first ? `.${first}` : '');
  };
  const pathOf = (el) => {
    const parts = [segment(el)];
    for (let root = el.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode()) parts.unshift(segment(root.host));
    return parts.join(' >>> ');
  };

  /** A part of a field that the browser itself draws: a spin button of a date, the arrow of a select. */
  const isPart = (el) => el.getRootNode() instanceof ShadowRoot && /^(input|textarea|select|details|video|audio|progress|meter)$/.test(el.getRootNode().host.localName);

  /** Whether what it holds is drawn in other letters than it is written in. */
  const isTransformed = (el) => [el, ...el.querySelectorAll('*')].some((inner) => getComputedStyle(inner).textTransform !== 'none');

  /** The controls of ours that hold it, the nearest first. */
  const holdersOf = (el) => {
    const found = [];
    for (let node = parentOf(el); node; node = parentOf(node)) if (wanted.has(numberOf(node))) found.push(numberOf(node));
    return found;
  };

  /** The modal dialogs that stand open, those in shadow trees included. */
  const modals = [];
  const findModals = (root) => {
    modals.push(...root.querySelectorAll('dialog:modal'));
    for (const el of root.querySelectorAll('*')) if (el.shadowRoot) findModals(el.shadowRoot);
  };
  findModals(document);

  /** Whether nothing in it can be used: it is marked so, or stands outside an open modal dialog. */
  const isInert = (el) => nearest(el, (node) => node.inert) !== null || (modals.length > 0 && nearest(el, (node) => modals.includes(node)) === null);

  const holders = new Set();
  const wanted = new Set(ours);
  const facts = {};
  const note = (el) => {
    const number = numberOf(el);
    facts[number] ??= {
      path: pathOf(el),
      tag: el.localName,
      role: el.getAttribute('role') || '',
      part: isPart(el),
      transformed: isTransformed(el),
      stand: standOf(el),
      hit: isHit(el),
      ariaHidden: nearest(el, (node) => node.getAttribute('aria-hidden') === 'true') !== null,
      inert: isInert(el),
      tabStop: el.tabIndex >= 0,
      labels: [...(el.labels || [])].map(numberOf),
      within: holdersOf(el),
    };
    return number;
  };
  const numbers = theirs.map((node) => (node.nodeType === 1 ? note(node) : 0));
  const visit = (root) => {
    for (const el of root.querySelectorAll('*')) {
      if (wanted.has(numberOf(el))) {
        note(el);
        for (let node = parentOf(el); node; node = parentOf(node)) holders.add(numberOf(node));
      }
      if (el.shadowRoot) visit(el.shadowRoot);
    }
  };
  visit(document);
  for (const number of Object.keys(facts)) facts[number].holds = holders.has(Number(number));
  return { numbers, facts };
})
