import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** A way to operate the page. */
export type Way = 'mouse' | 'keyboard' | 'phone'

export const ways: Record<Way, BrowserContextOptions> = {
  mouse: {},
  keyboard: {},
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
}

/** A task on the page, and the most steps that it takes. */
export interface Task {
  title: string
  /** The page that it begins on. */
  start: string
  /** Clicks, groups of key presses, and taps. */
  most: Record<Way, number>
  steps: (hands: Hands) => Promise<unknown>
  /** Waits for the answer. */
  sees: (page: Page) => Promise<unknown>
}

/** Operates a page in one of the ways, and counts the steps. */
export interface Hands {
  way: Way
  page: Page
  press(what: Locator): Promise<void>
  /** Writes into a field, and ends with Enter. */
  type(field: Locator, text: string): Promise<void>
  choose(list: Locator, option: string): Promise<void>
  /** Chooses one of some tabs by its name. */
  openTab(name: string): Promise<void>
}

/** The most key presses to reach an element. They count as one step. */
const mostTabs = 60

/**
 * A click, a tap, and a text with its Enter count one; a list that opens counts two, to open it and to choose. With the keyboard, moving to an
 * element counts one, and the action on it another one. Scrolling is not counted.
 */
function handsOn(page: Page, way: Way) {
  const counted = { steps: 0, tabs: 0 }
  const click = async (what: Locator) => {
    await (way === 'phone' ? what.tap() : what.click())
    counted.steps += 1
  }
  const hasFocus = (what: Locator) => what.evaluate((element) => element === document.activeElement)
  const reach = async (what: Locator) => {
    await what.waitFor()
    if (await hasFocus(what)) return
    const isBehind = await what.evaluate(
      (element) => (document.activeElement.compareDocumentPosition(element) & 4) > 0,
    )
    for (let tabs = 0; !(await hasFocus(what)); tabs += 1) {
      if (tabs >= mostTabs) throw new Error(`${mostTabs} key presses do not lead to ${what}`)
      await page.keyboard.press(isBehind ? 'Tab' : 'Shift+Tab')
      counted.tabs += 1
    }
    counted.steps += 1
  }
  const keys = async (work: () => Promise<void>) => {
    await work()
    counted.steps += 1
  }
  const byKeyboard: Omit<Hands, 'way' | 'page'> = {
    async press(what) {
      await reach(what)
      const isBox = (await what.getAttribute('type')) === 'checkbox'
      await keys(() => page.keyboard.press(isBox ? 'Space' : 'Enter'))
    },
    async type(field, text) {
      await reach(field)
      await keys(async () => {
        await page.keyboard.type(text)
        await page.keyboard.press('Enter')
      })
    },
    async choose(list, option) {
      await reach(list)
      // A character without a key, as ×, would be inserted into a text field, although the list has the focus.
      await keys(() => page.keyboard.type(option.replace(/[^ -~]/g, '')))
    },
    async openTab(name) {
      const tab = page.getByRole('tab', { name })
      const isTab = `[role=tablist]:has(#${await tab.getAttribute('id')}) [aria-selected=true]`
      await reach(page.locator(isTab))
      await keys(async () => {
        while (!(await hasFocus(tab))) await page.keyboard.press('ArrowRight')
      })
    },
  }
  const byPointer: Omit<Hands, 'way' | 'page'> = {
    press: click,
    async type(field, text) {
      await click(field)
      await expect.poll(() => hasFocus(field)).toBe(true) // a tap becomes a click a moment later
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    },
    async choose(list, option) {
      await list.selectOption({ label: option })
      counted.steps += 2
    },
    openTab: (name) => click(page.getByRole('tab', { name })),
  }
  return { counted, hands: { way, page, ...(way === 'keyboard' ? byKeyboard : byPointer) } }
}

/** Does a task, and expects at most its allowed number of steps. */
export async function doTask({ title, most, steps, sees }: Task, way: Way, page: Page): Promise<void> {
  const { counted, hands } = handsOn(page, way)
  await steps(hands)
  await sees(page)
  expect(counted.steps, `${title}, by ${way}`).toBeLessThanOrEqual(most[way])
}

declare const document: { activeElement: { compareDocumentPosition(other: unknown): number } }
