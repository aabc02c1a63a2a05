import { SHORTEST_PASSWORD } from '../../../src/core/sign-in/password.ts'
import { TextField } from '../field.tsx'

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
      minLength={SHORTEST_PASSWORD}
      hint={`At least ${SHORTEST_PASSWORD} characters, and none of the most common passwords. Four random words are good; a password manager is better.`}
      faults={faults}
      className={className}
    />
  )
}
