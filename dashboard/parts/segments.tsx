/** The parts of a choice of one option, in whatever form it stands on a screen. */
export type ChoiceOfOne<T extends string> = {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChoose: (value: T) => void
}

/** A few exclusive choices side by side; the chosen one is pressed. */
export function Segments<T extends string>({ label, value, options, onChoose }: ChoiceOfOne<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a row in every browser
    <div
      role="group"
      aria-label={label}
      className="inline-flex max-w-full flex-wrap rounded-md border border-line bg-sunken p-0.5"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChoose(option.value)}
          className="h-9 min-w-9 rounded px-2 text-sm max-md:h-10 min-[400px]:px-2.5 whitespace-nowrap text-soft hover:text-ink aria-pressed:bg-panel aria-pressed:font-medium aria-pressed:text-ink aria-pressed:shadow-sm sm:px-3"
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}
