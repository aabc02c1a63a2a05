import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import type { SignInOptions } from '../../../src/core/accounts/signed-in.ts'
import { OAUTH_PATHS } from '../../../src/core/sign-in/oauth-metadata.ts'
import { Door } from '../../app/door.tsx'
import { waysInQuestion } from '../../data/account.ts'
import { enterSession } from '../../data/session.ts'
import { wayBack } from '../../data/way-back.ts'
import { t } from '../../language/language.ts'
import { SignInWays } from '../../parts/accounts/sign-in-ways.tsx'
import { buttonLook } from '../../parts/button.tsx'
import { Waiting } from '../../parts/panel.tsx'
import { sayMoment } from '../../parts/time.tsx'

const LOOK_AGAIN_MS = 5_000

export default function SignIn() {
  const { data: ways, isPending } = useQuery({
    ...waysInQuestion,
    refetchInterval: ({ state }) => (state.data?.is_set_up === false ? LOOK_AGAIN_MS : false),
  })
  if (ways?.is_set_up === false && !ways.signup) return <NotSetUp />
  return <Door title={t('Sign in')}>{isPending ? <Waiting lines={5} /> : <Ways ways={ways} />}</Door>
}

/** No account exists that could sign in. */
function NotSetUp() {
  return (
    <Door title={t('Upbeat is not set up yet')}>
      <div className="flex flex-col gap-3">
        <p>
          {t(
            'When Upbeat started, it printed a link to create the first account: in the terminal, or in the log of its container or unit. It looks like this:',
          )}
        </p>
        <p className="rounded-md bg-sunken px-3 py-2 font-mono text-sm break-all">
          {location.origin}/setup#…
        </p>
        <p>{t('Open that link in this browser, or enter the part after the # on the setup page.')}</p>
        <a href="/setup" className={buttonLook('main')}>
          {t('Set up Upbeat')}
        </a>
      </div>
    </Door>
  )
}

function Ways({ ways }: { ways: SignInOptions | undefined }) {
  const { to, ended } = useSearch({ from: '/sign-in' })
  const path = wayBack(to)
  const queries = useQueryClient()
  const { history } = useRouter()

  async function enter() {
    // A program waits for consent, on a page outside the dashboard.
    if (path.startsWith(OAUTH_PATHS.authorize)) return location.assign(path)
    await enterSession(queries)
    history.push(path)
  }

  return (
    <>
      {ended !== undefined && (
        <p role="status" className="mb-4">
          {t('Your session ended at {time}. Sign in to go on where you were.', { time: sayMoment(ended) })}
        </p>
      )}
      <SignInWays ways={ways} returnTo={path} onSignedIn={enter} />
      <p className="mt-5 flex flex-wrap justify-center gap-x-5 gap-y-2">
        <Link to="/forgotten-password" className="underline">
          {t('Forgot your password?')}
        </Link>
        {ways?.signup && (
          <Link to="/sign-up" className="underline">
            {t('Create an account')}
          </Link>
        )}
      </p>
    </>
  )
}
