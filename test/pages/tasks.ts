import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Task } from '../hands.ts'
import { legend } from './charts.ts'
import { figure, known, type Machine, whenPriced } from './desk.ts'

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const menuOf = (page: Page, title: string) => page.getByLabel(`${title}: actions`)
const rowOf = (page: Page, name: string) => page.locator('tbody tr', { hasText: name }).first()
/** The tasks of the page's visitors. `machines`: the machines of the host. */
export const tasksFor = (machines: Machine[]): Task[] => [
  {
    title: 'Is my H100 overpriced?',
    start: 'market',
    most: { mouse: 2, keyboard: 4, phone: 2 },
    async steps({ page, press, type }) {
      await press(link(page, 'Machines'))
      await type(page.getByLabel('GPU type or number'), 'H100')
    },
    sees: (page) =>
      rowOf(page, 'H100')
        .getByRole('link', { name: /Keep|Lower to|Raise to|Offline|Idle|Not certain yet/ })
        .waitFor(),
  },
  {
    title: 'Can I get 8 × RTX 4090 under $3?',
    start: 'market',
    most: { mouse: 3, keyboard: 6, phone: 3 },
    async steps({ page, type }) {
      await type(page.getByLabel('Find a GPU type'), '4090')
      await type(page.getByLabel('GPUs needed'), '8')
      await type(page.getByLabel('At most, USD/h each'), '3')
    },
    sees: (page) => page.getByText(/^(Yes|No): [\d,]+ available now at \$3\.00 or less\./).waitFor(),
  },
  {
    title: 'What does the cheapest 8× H100 cost?',
    start: 'market?find=H100',
    most: { mouse: 2, keyboard: 3, phone: 2 },
    async steps({ page, choose }) {
      await choose(page.getByLabel('Rig size'), '8×')
    },
    sees: (page) => expect.poll(() => rowOf(page, 'H100').locator('.cheapest').innerText()).toMatch(/\$\d/),
  },
  {
    title: 'What changed this week?',
    start: 'market',
    most: { mouse: 1, keyboard: 2, phone: 2 },
    async steps({ way, page, press, choose }) {
      await (way === 'phone'
        ? choose(page.getByLabel('Sorted by'), 'Price change, 7 days')
        : press(button(page, 'Price change, 7 days')))
    },
    sees: (page) => expect.poll(() => page.locator('.market .change').first().innerText()).toMatch(/^↑/),
  },
  {
    title: 'What should I charge?',
    start: 'machines',
    most: { mouse: 2, keyboard: 5, phone: 2 },
    async steps({ page, press }) {
      await press(page.getByRole('link', { name: new RegExp(`: machine ${known(machines).id}$`) }))
      await press(button(page, 'Copy the price'))
    },
    sees: (page) =>
      expect
        .poll(async () => Number(await page.getByLabel('Price, USD per GPU-hour').inputValue()))
        .toBe(known(machines).figures.advice.price),
  },
  {
    title: 'How long until it is rented?',
    start: 'market',
    most: { mouse: 3, keyboard: 4, phone: 3 },
    async steps({ page, press, choose }) {
      await press(link(page, 'Pricing'))
      await whenPriced(page)
      const { id, num_gpus, gpu_name } = known(machines)
      await choose(page.getByLabel('What to price'), `Machine ${id}: ${num_gpus}× ${gpu_name}`)
    },
    sees: (page) => expect.poll(() => figure(page, 'Time to rent').innerText()).toMatch(/\d/),
  },
  {
    title: 'What is expected occupancy?',
    start: 'price',
    most: { mouse: 1, keyboard: 2, phone: 1 },
    async steps({ page, press }) {
      await whenPriced(page)
      await press(page.locator('.figures .term').first())
    },
    sees: (page) => page.getByRole('tooltip', { name: /^The estimated share of time for which/ }).waitFor(),
  },
  {
    title: 'Which machine has been idle longest?',
    start: 'machines',
    most: { mouse: 1, keyboard: 2, phone: 2 },
    async steps({ way, page, press, choose }) {
      await (way === 'phone'
        ? choose(page.getByLabel('Sorted by'), 'Rented now')
        : press(button(page, 'Rented now')))
    },
    async sees(page) {
      // At some hours every online machine of this host is at least partly rented. Then the machine with the smallest rented share is used.
      const idleFirst = ({ rented_gpus, num_gpus, figures }: Machine) =>
        rented_gpus !== null && rented_gpus > 0
          ? rented_gpus / num_gpus
          : -1 / (figures?.idle_since ?? Number.POSITIVE_INFINITY)
      const lowest = Math.min(...machines.map(idleFirst))
      const first = machines.filter((machine) => idleFirst(machine) === lowest)
      await expect
        .poll(() => page.locator('.fleet tbody tr').first().innerText())
        .toMatch(new RegExp(`\\b(${first.map(({ id }) => id).join('|')}) · `))
    },
  },
  {
    title: 'Share a chart',
    start: 'charts?gpu=RTX+4090',
    most: { mouse: 3, keyboard: 5, phone: 3 },
    async steps({ page, press }) {
      await press(menuOf(page, 'Price of RTX 4090'))
      await press(button(page, 'Share'))
      await press(button(page, 'Make a link'))
    },
    sees: (page) => page.getByText('This is the link.').waitFor(),
  },
  {
    title: 'Notify me when my price is wrong',
    start: 'market',
    most: { mouse: 3, keyboard: 6, phone: 3 },
    async steps({ page, press }) {
      await press(link(page, 'Alerts'))
      await press(button(page, 'My price is out of line'))
      await press(button(page, 'Create the alert'))
    },
    sees: (page) => page.getByText(/^The rule “.*” was created/).waitFor(),
  },
  {
    title: 'Notify me when a price falls by 5 %',
    start: 'charts?gpu=RTX+4090',
    most: { mouse: 3, keyboard: 6, phone: 3 },
    async steps({ page, press }) {
      await press(page.locator('.menu summary').first())
      await press(button(page, 'Alert me'))
      await press(button(page, 'Create the alert'))
    },
    sees: (page) =>
      page.getByText(/^The rule “RTX 4090: available median falls 5 % in 24 h, .*” was created/).waitFor(),
  },
  {
    title: 'Compare with the week before',
    start: 'charts?gpu=RTX+4090&step=21600',
    most: { mouse: 2, keyboard: 4, phone: 2 },
    async steps({ page, press }) {
      await press(page.locator('.bar summary').last())
      await press(page.getByLabel('Period before'))
    },
    sees: (page) => legend(page).getByText('Available (period before)').waitFor(),
  },
  {
    title: 'Compare with another GPU',
    start: 'charts?gpu=RTX+4090',
    most: { mouse: 3, keyboard: 6, phone: 3 },
    async steps({ page, press }) {
      await press(page.locator('.bar summary').first())
      await press(page.getByRole('checkbox', { name: /^RTX 3090 [\d,]+ GPUs/ }))
      await press(button(page, 'Compare'))
    },
    sees: (page) => legend(page).getByRole('button', { name: 'RTX 3090' }).waitFor(),
  },
  {
    title: 'Download the figures',
    start: 'charts?gpu=RTX+4090',
    most: { mouse: 2, keyboard: 4, phone: 2 },
    async steps({ page, press }) {
      const download = page.waitForEvent('download')
      await press(menuOf(page, 'Price of RTX 4090'))
      await press(button(page, 'CSV'))
      expect((await download).suggestedFilename()).toMatch(/price-of-rtx-4090\.csv$/)
    },
    sees: async () => {},
  },
]
