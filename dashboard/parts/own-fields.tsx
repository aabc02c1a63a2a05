import { LONGEST_NAME } from '../../src/core/text.ts'
import { TextField } from './field.tsx'

/** Asks who is signed in for the password they have, before something that matters. */
export function OwnPasswordField({ faults }: { faults: string[] | undefined }) {
  return (
    <TextField
      label="Your password"
      name="password"
      type="password"
      autoComplete="current-password"
      required
      autoFocus
      faults={faults}
    />
  )
}

export function OwnNameField({ value, faults }: { value?: string; faults: string[] | undefined }) {
  return (
    <TextField
      label="Your name"
      name="name"
      autoComplete="name"
      required
      autoFocus
      maxLength={LONGEST_NAME}
      defaultValue={value}
      faults={faults}
    />
  )
}
