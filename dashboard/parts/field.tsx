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

export function TextField({
  label,
  hint,
  faults,
  className,
  ...rest
}: Around & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field {...{ label, hint, faults, ...(className && { className }) }}>
      {(wired) => <input {...wired} className={`${INPUT_LOOK} h-10 max-md:h-[44px]`} {...rest} />}
    </Field>
  )
}

export function SelectField({
  label,
  hint,
  faults,
  className,
  ...rest
}: Around & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Field {...{ label, hint, faults, ...(className && { className }) }}>
      {(wired) => <select {...wired} className={`${SELECT_LOOK} h-10 max-md:h-[44px]`} {...rest} />}
    </Field>
  )
}

/** Text of several lines that a machine reads. */
export function LinesField({
  label,
  hint,
  faults,
  className,
  ...rest
}: Around & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field {...{ label, hint, faults, ...(className && { className }) }}>
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
