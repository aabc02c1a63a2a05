import { TextField } from './field.tsx'

const SHORTEST = 8

/** A password that is being chosen. */
export function NewPasswordField({
  label,
  faults,
  className = '',
}: {
  label: string
  faults: string[] | undefined
  className?: string
}) {
  return (
    <TextField
      label={label}
      name="password"
      type="password"
      autoComplete="new-password"
      required
      minLength={SHORTEST}
      hint={`At least ${SHORTEST} characters. Four random words are good; a password manager is better.`}
      faults={faults}
      className={className}
    />
  )
}
