import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { registerServiceWorker } from './app/service-worker.ts'
import { Problem } from './data/problem.ts'
import { createQueries } from './data/queries.ts'
import { Notices } from './parts/feedback/notices.tsx'
import { createDashboardRouter } from './router.tsx'

const queries = createQueries()
const router = createDashboardRouter(queries)

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

createRoot(document.getElementById('root') as HTMLElement, {
  // A refusal, such as the end of a session, is shown in place of the screen and is not a bug of the page.
  onCaughtError: (error) => {
    if (!(error instanceof Problem)) console.error(error)
  },
}).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Notices>
        <RouterProvider router={router} />
      </Notices>
    </QueryClientProvider>
  </StrictMode>,
)

registerServiceWorker()
