const words = ['No evidence', 'Little evidence', 'Good evidence', 'Strong evidence']

/** The strength of the evidence behind a figure: four bars, and always the word. */
export const Grade = ({ level }: { level: 1 | 2 | 3 | 4 }) => (
  <span class="grade">
    <svg viewBox="0 0 22 14" width={22} height={14} aria-hidden="true">
      {[6, 8, 11, 14].map((height, index) => (
        <rect
          key={height}
          class={index < level ? 'on' : undefined}
          x={index * 6}
          y={14 - height}
          width={4}
          height={height}
          rx={1}
        />
      ))}
    </svg>
    {words[level - 1]}
  </span>
)
