/** Outlines of Lucide (ISC, see licenses.txt), 24 units wide: the icons in the frame of every page. */
export const frameOutlines = {
  home: 'M15 21v-8a1 1 0 0 0-1-1h-4a1 1 0 0 0-1 1v8M3 10a2 2 0 0 1 .709-1.528l7-6a2 2 0 0 1 2.582 0l7 6A2 2 0 0 1 21 10v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z',
  chart: 'M3 3v16a2 2 0 0 0 2 2h16m-2-12-5 5-4-4-3 3',
  server:
    'M4 2h16a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zm0 12h16a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2v-4a2 2 0 0 1 2-2zM6 6h.01M6 18h.01',
  tag: 'M12.586 2.586A2 2 0 0 0 11.172 2H4a2 2 0 0 0-2 2v7.172a2 2 0 0 0 .586 1.414l8.704 8.704a2.426 2.426 0 0 0 3.42 0l6.58-6.58a2.426 2.426 0 0 0 0-3.42zM7.5 7.5h.01',
  bell: 'M10.268 21a2 2 0 0 0 3.464 0M3.262 15.326A1 1 0 0 0 4 17h16a1 1 0 0 0 .74-1.673C19.41 13.956 18 12.499 18 8A6 6 0 0 0 6 8c0 4.499-1.411 5.956-2.738 7.326',
  database: 'M3 5a9 3 0 1 0 18 0 9 3 0 1 0-18 0v14a9 3 0 0 0 18 0V5M3 12a9 3 0 0 0 18 0',
  search: 'm21 21-4.34-4.34M11 3a8 8 0 1 0 0 16 8 8 0 0 0 0-16z',
  sliders: 'M14 17H5M19 7h-9M17 14a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM7 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
}

/** A decorative picture: the words beside it mean the same, so screen readers skip it. */
export const Icon = ({ outline }: { outline: string }) => (
  <svg class="icon" viewBox="0 0 24 24" width={16} height={16} aria-hidden="true">
    <path d={outline} />
  </svg>
)
