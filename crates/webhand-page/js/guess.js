// @ts-check
// What a control may be called that has no name: after the picture that is drawn for it, else after how its author calls it.
// A guess is told as one. It must not know what a walk does with it.

/** Words of class names that say nothing of what a thing is for. */
const EMPTY_WORDS = setOf('btn button buttons icon icons ico img image pic svg symbol glyph item link control controls widget input field box el element ui fa fas far fab fal fad '
  + 'solid regular light brands material glyphicon glyphicons mdi bi ti ri la las ph bx bxs uil anticon codicon octicon feather lucide ion remix dashicons '
  + 'default primary secondary tertiary success danger warning info active selected current hover focus focused disabled enabled visible root inner outer wrapper container '
  + 'content base fw spin pulse small medium large sm md lg xs xl round rounded circle square corner all state only text clickable pointer js is has no reset clearfix sr ql ant mui mat mdc chakra');
/** Tokens of frameworks whose classes name single declarations. */
const UTILITY = /[:/[\]]|^-?[a-z]{1,2}-(?:\d|auto$|full$|px$|screen$)|^(?:text|bg|border|flex|grid|items|justify|content|self|space|gap|absolute|relative|fixed|sticky|static|inline|block|hidden|opacity|transition|cursor|font|leading|tracking|col|row|float|align|d|position|shadow|ring|min|max|overflow|order|z|pull|push|offset|m|p|w|h)(?:-|$)/;
/** The class of an icon font that names the picture. */
const ICON = /^(?:(?:fa|fas|far|fab|bi|mdi|ti|ri|la|ph|bx|uil|icon|icons|ico|glyphicon|anticon|codicon|octicon|feather|lucide|ion|remix|dashicons|el-icon|ui-icon|pi|oi|zmdi|typcn|fi|cil|nf|si|tabler|iconoir|eva|wi|maki|fe|k-i)-(.+)|(.+)-icon)$/;
/** An id that a library counted up. */
const COUNTED = /^(?:ui-id|radix|react-aria|headlessui|mui|ember|ext-gen|yui|j_id|base-ui)\b|^[:_«]?r[\w]*[:_»]$/;
/** What a picture is called only while the pointer or the focus is on it: no part of what it is. */
const PASSING = /[-_](?:hover|hovered|over|active|focus|focused|pressed|down)$/i;
/** A class that a build made. */
const HASHED = /(?:^|[-_])(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{3,}(?:[-_]|$)/i;
/** More classes than this are declarations, not names. */
const CLASSES_MAX = 6;
const GUESS_MAX = 60;

/**
 * @param {Element} el
 * @param {boolean} picturesOnly whether only what is drawn counts: a part of what is named already
 * @returns {string} '' where nothing tells
 */
const guessName = (el, picturesOnly) => {
  const byPicture = drawnIn(el) || iconOf(el) || drawnAs(el) || attr(el, 'data-icon') || calledById(el);
  const said = byPicture || (picturesOnly && !hasPicture(el) ? '' : classWords(ownClasses(el)) || backgroundOf(el) || shapeOf(el));
  return short(tidy(said.replace(PASSING, '').replace(/(?<=[\p{L}\d)])[-_]+|[-_]+(?=\p{L})/gu, ' ')), GUESS_MAX);
};

/** The picture in it, by its file or by what of a drawing it uses. @param {Element} el */
const drawnIn = (el) => {
  for (const image of [...queryAll.call(el, 'img[src],use,svg')].slice(0, 4)) {
    const stem = stemOf(attr(image, 'src') || attr(image, 'href') || attr(image, 'xlink:href') || attr(image, 'data-icon') || '');
    if (stem) return stem;
  }
  return '';
};

/** The name of a file, or of a part of one, without folders and ending. @param {string} address */
const stemOf = (address) => (/^data:/i.test(address) ? '' : (/([^/#?.]+)(?:\.\w+)?(?:[?#].*)?$/.exec(address) || [])[1] || '');

/** The icon of a font, by the class that chooses it. @param {Element} el */
const iconOf = (el) => {
  for (const one of [el, ...queryAll.call(el, 'i,span,svg,em')].slice(0, 4)) {
    for (const token of classesOf(one)) {
      const found = ICON.exec(token.replace(/^[\w-]*__/, ''));
      // some tokens choose a size or a motion, not a picture
      const words = found && classWords([found[1] || found[2]]) ? found[1] || found[2] : '';
      if (words) return words;
    }
  }
  return '';
};

/** The file of a picture that a style sheet puts in its place. @param {Element} el */
const drawnAs = (el) => fileIn(getComputedStyle(el).content) || fileIn(getComputedStyle(el, '::before').content);

/** The file of its background, where that is one picture: a sheet of many is moved to show the right part. @param {Element} el */
const backgroundOf = (el) => {
  const style = getComputedStyle(el);
  return /-|right|bottom/.test(style.backgroundPosition) ? '' : fileIn(style.backgroundImage) || fileIn(style.maskImage);
};

/** Whether something is drawn for it: a background, or a picture or the glyph of an icon font before it. @param {Element} el */
const hasPicture = (el) => {
  const style = getComputedStyle(el);
  const before = getComputedStyle(el, '::before').content;
  return /url\(/.test(style.backgroundImage + style.maskImage + before) || /[\ue000-\uf8ff]/.test(before);
};

/** @param {string} value of a property @returns {string} the stem of the file in it */
const fileIn = (value) => {
  const address = /url\("((?:[^"\\]|\\.)*)"\)/.exec(value || '');
  return address ? stemOf(address[1]) : '';
};

/** @param {Element} el */
const calledById = (el) => {
  const id = attr(el, 'id') || '';
  return attr(el, 'name') || (COUNTED.test(id) ? '' : id);
};

/** @param {Element} el @returns {string[]} */
const classesOf = (el) => (attr(el, 'class') || '').split(/\s+/).filter((token) => token !== '');

/** A drawn shape, by its tag. @param {Element} el */
const shapeOf = (el) => (/^(circle|ellipse|rect|polygon|polyline|line|path)$/.test(tagOf(el)) ? tagOf(el) : '');

/** The classes that tell it from what stands beside it. @param {Element} el */
const ownClasses = (el) => {
  const beside = [getPreviousElement.call(el), getNextElement.call(el)].flatMap((one) => (one ? classesOf(one) : []));
  return classesOf(el).filter((token) => !beside.includes(token));
};

/** The words of class names that may say what a thing is for. @param {string[]} classes */
const classWords = (classes) => {
  if (classes.length > CLASSES_MAX) return '';
  /** @type {Set<string>} */
  const words = new Set();
  for (const token of classes) {
    if (UTILITY.test(token) || HASHED.test(token)) continue;
    const last = token.replace(/^.*__/, '').replace(/--.*$/, '');
    for (const word of last.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase().split(/[-_]+/)) {
      if (word.length > 1 && word.length < 20 && /^\p{L}+$/u.test(word) && !EMPTY_WORDS.has(word)) words.add(word);
    }
  }
  return [...words].slice(0, 4).join(' ');
};
