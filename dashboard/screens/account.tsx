import { PageHead } from '../parts/panel.tsx'

export default function Account() {
  return <PageHead title="Your account" />
}
