/**
 * The faults of the texts of a page: cut by a box that does not scroll, reaching out of its own box, outside the window, or one upon another. A text
 * may end in an ellipsis if its tip has all of it. A page receives the text of this function, so it uses no outer name.
 */
export function faultsOfTexts() {
  const { document, innerWidth, NodeFilter, getComputedStyle, matchMedia } = globalThis
  const onPaper = matchMedia('print').matches
  const faults = new Set()
  const styles = new Map()
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element))
    return styles.get(element)
  }
  const ancestorsOf = (element) => {
    const found = []
    for (let at = element; at && at !== document.documentElement; at = at.parentElement) found.push(at)
    return found
  }
  const place = (element) =>
    ancestorsOf(element)
      .slice(0, 3)
      .map((at) => [at.localName, ...at.classList].join('.'))
      .toReversed()
      .join(' ')
  const isSeen = (element, ancestors) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !ancestors.some(
      (at) => styleOf(at).clipPath === 'inset(50%)' || at.matches('option, noscript, .cm-layer'),
    )

  const seen = []
  const scrollsX = (style) => !onPaper && /auto|scroll/.test(style.overflowX)
  const scrollsY = (style) => !onPaper && /auto|scroll/.test(style.overflowY)
  /** The part of a text that its scrolling ancestors show. A fault, if another box cuts it. */
  const shownPart = (box, text, element, ancestors) => {
    for (const at of ancestors) {
      const style = styleOf(at)
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue
      const limits = at.getBoundingClientRect()
      const over = Math.max(box.right - limits.right, limits.left - box.left)
      const below = Math.max(box.bottom - limits.bottom, limits.top - box.top)
      // A part of a drawing has no title.
      const isInTip = at.title?.includes(text) === true
      const endsWithDots = isInTip && style.textOverflow === 'ellipsis'
      const endsWithLines = isInTip && style.webkitLineClamp !== 'none'
      if (
        (over > 1 && !endsWithDots && !scrollsX(style)) ||
        (below > 1 && !endsWithLines && !scrollsY(style))
      )
        faults.add(`cut: “${text}” in ${place(element)} by ${place(at)}`)
      box.left = Math.max(box.left, limits.left)
      box.right = Math.min(box.right, limits.right)
      box.top = Math.max(box.top, limits.top)
      box.bottom = Math.min(box.bottom, limits.bottom)
    }
    return box
  }
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (nodes.nextNode()) {
    const node = nodes.currentNode
    const element = node.parentElement
    const text = node.data.trim().slice(0, 40)
    if (!text) continue
    const ancestors = ancestorsOf(element)
    if (!isSeen(element, ancestors)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const own = ancestors.find((at) => styleOf(at).display !== 'inline')
    const layer = ancestors.find((at) => /fixed|sticky/.test(styleOf(at).position))
    const half = Number.parseFloat(styleOf(element).fontSize) * 0.36
    for (const { left, right, top, bottom, width } of range.getClientRects()) {
      if (width < 1) continue
      const middle = (top + bottom) / 2
      const box = shownPart(
        { left, right, top: middle - half, bottom: middle + half },
        text,
        element,
        ancestors,
      )
      if (box.right - box.left < 1 || box.bottom - box.top < 1) continue
      if (box.left < -1 || box.right > innerWidth + 1) faults.add(`outside: “${text}” in ${place(element)}`)
      const frame = own && !element.closest('svg') && own.getBoundingClientRect()
      if (frame && (box.right > frame.right + 1 || box.left < frame.left - 1))
        faults.add(`out of its box: “${text}” in ${place(element)}`)
      seen.push({ ...box, node, layer, text, element })
    }
  }
  seen.sort((one, other) => one.top - other.top)
  for (const [index, one] of seen.entries())
    for (let next = index + 1; next < seen.length && seen[next].top < one.bottom - 1; next += 1) {
      const other = seen[next]
      if (one.node === other.node || one.layer !== other.layer) continue
      if (Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1)
        faults.add(`overlap: “${one.text}” and “${other.text}” in ${place(other.element)}`)
    }
  for (const field of document.querySelectorAll('input'))
    if (field.checkVisibility() && field.scrollWidth > field.clientWidth + 1)
      faults.add(`cut: the field “${field.value.slice(0, 40)}” in ${place(field)}`)
  const { scrollWidth } = document.documentElement
  if (scrollWidth > innerWidth) faults.add(`the page scrolls sideways: ${scrollWidth} px of ${innerWidth}`)
  return [...faults]
}
