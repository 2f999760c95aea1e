// The part of the page that is there when the page is not: it says that the house cannot be reached, and shows notices.
// It keeps the offline page and nothing else: what happens at a table always comes from the server.
const KEPT = 'offline-1';
const OFFLINE = ['/offline.html', '/offline.css', '/favicon.svg'];

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((kept) => kept.addAll(OFFLINE))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const forget = (names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
  event.waitUntil(
    caches
      .keys()
      .then(forget)
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const address = new URL(event.request.url);
  if (event.request.mode === 'navigate') {
    event.respondWith(fetch(event.request).catch(() => caches.match('/offline.html')));
  } else if (OFFLINE.includes(address.pathname)) {
    event.respondWith(fetch(event.request).catch(() => caches.match(address.pathname)));
  }
});

// ── Notices ──────────────────────────────────────────────────

const tableOf = (client) => new URL(client.url).pathname.match(/^\/table\/([^/]+)/)?.[1];

self.addEventListener('push', (event) => {
  event.waitUntil(tell(event.data?.json()));
});

async function tell(notice) {
  if (!notice?.title) return;
  const open = await self.clients.matchAll({ type: 'window' });
  if (open.some((client) => client.focused && tableOf(client) === notice.table)) return; // they are looking
  await self.registration.showNotification(notice.title, {
    body: notice.body,
    tag: notice.table, // a later one takes its place, and is heard all the same
    renotify: true,
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    data: { table: notice.table, invite: notice.invite },
    actions: notice.mute ? [{ action: 'mute', title: notice.mute }] : [],
  });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { table, invite } = event.notification.data ?? {};
  event.waitUntil(event.action === 'mute' ? mute(table) : show(table, invite));
});

function mute(table) {
  return fetch('/api/you/notices/mute', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ muted: true, table }),
  });
}

async function show(table, invite) {
  const open = await self.clients.matchAll({ type: 'window' });
  const there = open.find((client) => tableOf(client) === table);
  return there ? there.focus() : self.clients.openWindow(`/table/${table}${invite ? `?invite=${invite}` : ''}`);
}
