import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'

/** The classes of an input, for controls with labels of their own. */
export const INPUT_LOOK =
  'w-full min-w-0 rounded-md border border-edge bg-panel px-3 text-ink shadow-panel hover:border-soft aria-invalid:border-down disabled:opacity-60 [&[readonly]]:bg-sunken'

/** The classes of a select, with room for its arrow. */
export const SELECT_LOOK = `${INPUT_LOOK} pr-8`

type Around = {
  label: string
  /** Said behind the label where it is heard: which of several of the same label. */
  heard?: string | undefined
  /** One sentence below the field. */
  hint?: ReactNode
  /** Faults, in the words of the API. */
  faults?: string[] | undefined
  className?: string
}

type Wired = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string }

/** A label, a control and its hint or faults; the control takes the attributes that connect them. */
export function Field({
  label,
  heard,
  hint,
  faults,
  className = '',
  children,
}: Around & { children: (wired: Wired) => ReactNode }) {
  const id = useId()
  const isFaulty = faults !== undefined && faults.length > 0
  const described = isFaulty || hint ? `${id}-said` : undefined
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block font-medium">
        {label}
        {heard && <span className="sr-only"> {heard}</span>}
      </label>
      {children({
        id,
        ...(isFaulty && { 'aria-invalid': true }),
        ...(described && { 'aria-describedby': described }),
      })}
      {isFaulty ? (
        <p id={`${id}-said`} className="mt-1 text-sm text-down">
          {faults.join('; ')}
        </p>
      ) : (
        hint && (
          <p id={`${id}-said`} className="mt-1 text-sm text-soft">
            {hint}
          </p>
        )
      )}
    </div>
  )
}

/** Parts the label, hint and faults around a control from its own attributes. */
function apart<Given extends Around>({ label, heard, hint, faults, className, ...rest }: Given) {
  return { around: { label, heard, hint, faults, ...(className && { className }) }, rest }
}

export function TextField(given: Around & InputHTMLAttributes<HTMLInputElement>) {
  const { around, rest } = apart(given)
  return (
    <Field {...around}>
      {(wired) => <input {...wired} className={`${INPUT_LOOK} h-10 max-md:h-[44px]`} {...rest} />}
    </Field>
  )
}

export function SelectField(given: Around & SelectHTMLAttributes<HTMLSelectElement>) {
  const { around, rest } = apart(given)
  return (
    <Field {...around}>
      {(wired) => <select {...wired} className={`${SELECT_LOOK} h-10 max-md:h-[44px]`} {...rest} />}
    </Field>
  )
}

/** Text of several lines that a machine reads. */
export function LinesField(given: Around & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const { around, rest } = apart(given)
  return (
    <Field {...around}>
      {(wired) => (
        <textarea
          {...wired}
          className={`${INPUT_LOOK} py-2 font-mono text-sm`}
          rows={4}
          autoComplete="off"
          spellCheck={false}
          {...rest}
        />
      )}
    </Field>
  )
}

/** A checkbox with its label and hint. */
export function Tick({
  label,
  hint,
  ...rest
}: { label: string; hint?: ReactNode } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId()
  return (
    <div className="flex items-start gap-2.5">
      <input
        id={id}
        type="checkbox"
        className="mt-0.5 size-4.5 shrink-0 accent-accent"
        {...(hint ? { 'aria-describedby': `${id}-said` } : {})}
        {...rest}
      />
      <div className="min-w-0 break-words">
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-said`} className="text-sm text-soft">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
