import type { Locator, Page } from 'playwright-core'

/** The colours of an element on the screen that take at least one part in 500 of it. */
export async function coloursOf(page: Page, element: Locator): Promise<string[]> {
  const picture = (await element.screenshot()).toString('base64')
  return page.evaluate<string[]>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${picture}'
    await image.decode()
    const { width, height } = image
    const brush = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')
    brush.drawImage(image, 0, 0)
    const { data } = brush.getImageData(0, 0, width, height)
    const counts = new Map()
    for (let at = 0; at < data.length; at += 4) {
      const colour = data.slice(at, at + 3).join()
      counts.set(colour, (counts.get(colour) ?? 0) + 1)
    }
    return [...counts].filter(([, count]) => count * 500 >= width * height).map(([colour]) => colour)
  })()`)
}
