import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Door } from '../app/door.tsx'
import { Problem, sayProblem } from '../data/problem.ts'
import { send } from '../data/send.ts'
import { SESSION_KEY } from '../data/session.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'

export default function SignIn() {
  const { to } = useSearch({ from: '/sign-in' })
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [wantsCode, setWantsCode] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)

  async function signIn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = Object.fromEntries(new FormData(event.currentTarget))
    setBusy(true)
    setProblem(null)
    try {
      await send({ method: 'POST', path: '/auth/sign-in', body: { code: null, ...fields } })
      await queries.resetQueries({ queryKey: SESSION_KEY })
      await navigate({ to: ownPath(to) })
    } catch (error) {
      // The password was right, and a code is wanted besides.
      if (error instanceof Problem && error.title === 'Unauthorized' && /code/i.test(error.message))
        setWantsCode(true)
      setProblem(error)
      setBusy(false)
    }
  }

  return (
    <Door title="Sign in">
      <form onSubmit={signIn} className="flex flex-col gap-4">
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username webauthn"
          required
          autoFocus
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        {wantsCode && (
          <TextField
            label="Code"
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            autoFocus
          />
        )}
        {problem !== null && (
          <p role="alert" className="text-down">
            {sayProblem(problem)}
          </p>
        )}
        <Button type="submit" tone="main" busy={busy}>
          Sign in
        </Button>
        <Link to="/forgotten-password" className="text-center text-soft underline">
          Forgotten your password?
        </Link>
      </form>
    </Door>
  )
}

/** Only a path of our own: an address must not lead elsewhere after a sign-in. */
function ownPath(to: string | undefined): string {
  return to?.startsWith('/') && !to.startsWith('//') && !to.startsWith('/\\') ? to : '/'
}
