// The methods of a walk that stand in files of their own, for the type check only: each is declared as it is written
// in the file named here. Nothing of this reaches a page.

/** See walk.js. */
interface Walk {
  // enter.js
  suspect(el: Element): void;
  beyond(box: DOMRect, clips?: Clip[]): boolean;
  enterMarked(el: Element, tag: string, kind: number, facts: number, bits: number): number | Place | null;
  stop(saved: Place): null;
  descend(el: Element, tag: string, saved: Place, block: boolean, control: string): number | Place | null;
  settle(el: Element, tag: string, style: CSSStyleDeclaration, place: Place, groups: number, display: string): boolean;
  clip(el: Element, style: CSSStyleDeclaration, place: Place, box: DOMRect, clipsX: boolean, clipsY: boolean, lifted: boolean): boolean;
  shows(box: DOMRect, clips: Clip[]): boolean;
  scrolls(el: Element, style: CSSStyleDeclaration): boolean;

  // emit.js
  controlRole(el: Element, tag: string, role: string, bits: number, style: CSSStyleDeclaration | null, place: Place): string;
  holdsFields(el: Element): boolean;
  isFilled(el: Element): boolean;
  reacts(el: Element, hand: boolean): boolean;
  labelRole(label: HTMLLabelElement, place: Place): string;
  inView(box: DOMRect): boolean;
  emitControl(el: Element, tag: string, role: string, bits: number, style: CSSStyleDeclaration | null): boolean;
  printControl(listed: Listed, box: DOMRect | null, inView: boolean, more: any): void;
  print(kind: number, inView: boolean, rest: string): void;
  list(el: Element): number;
  nameControl(el: Element, tag: string, target: Element, targetTag: string, role: string): {text: string, guessed: boolean, mutes: boolean};
  coverOf(el: Element, inView: boolean): {i: number, n: string} | null;
  asLayer(layer: Element): {i: number, n: string};
  emitStoodFor(el: Element, tag: string, facts: number): void;
  emitGauge(el: Element, tag: string): void;
  emitStructure(el: Element, tag: string, role: string): void;
  emitScroll(el: Element): void;
  emitFrame(el: Element, tag: string): void;
  emitLayer(el: Element): void;

  // covers.js
  raise(el: Element, position: string, clips: Clip[]): void;
  coverUnseen(): void;
  markCovered(at: number, cover: { i: number; n: string }): void;
}
