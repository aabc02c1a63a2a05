import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { askAccount } from '../data/account.ts'
import { Problem } from '../data/problem.ts'
import { Button } from '../parts/button.tsx'
import { usePageTitle } from '../parts/page-title.ts'
import { Empty } from '../parts/panel.tsx'

const LOOK_AGAIN_MS = 3_000

/** The file of a screen could not be loaded, as the service does not answer. */
export class NotLoaded extends Problem {
  constructor() {
    super(0, 'Not loaded', undefined)
  }
}

const isThereQuestion = {
  queryKey: ['is-there'],
  queryFn: () => askAccount('showSignInOptions', {}),
  retry: false,
  gcTime: 0,
}

/**
 * Says why a screen's file could not be loaded. Where the service answers, the file is gone since an update: then the
 * router loads the page again, by itself. Without the service that would leave the browser's own error page.
 */
export async function explainFailedLoad(error: unknown): Promise<never> {
  await askAccount('showSignInOptions', {}).catch(() => {
    throw new NotLoaded()
  })
  throw error
}

/** Stands in the place of the screen until the service is back. Only another load of the page asks for the file again. */
export function NotLoadedYet() {
  const { isSuccess, isFetching, refetch } = useQuery({ ...isThereQuestion, refetchInterval: LOOK_AGAIN_MS })
  usePageTitle('Not loaded yet')
  useEffect(() => {
    if (isSuccess) location.reload()
  }, [isSuccess])
  return (
    <div role="alert">
      <Empty
        title="This screen is not loaded yet"
        heading="h1"
        action={
          <Button busy={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        }
      >
        Upbeat does not answer. The screen appears as soon as it does.
      </Empty>
    </div>
  )
}
