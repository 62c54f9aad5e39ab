//! Events and who hears them. Each stream has a bounded queue of its own: delivering never waits, and a stream that
//! falls behind loses its oldest events and is told how many.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use futures_util::Stream;

use crate::core::{Core, lock};
use crate::{CdpError, Event, SessionId, decode_str};

/// How many events a stream holds where its filter says nothing else.
const CAPACITY: usize = 4096;
/// How many bytes of events a stream holds.
const BYTES: usize = 32 * 1024 * 1024;
/// How many ended sessions are remembered, so that whoever subscribes a moment too late does not wait for good.
const ENDED: usize = 1024;

/// An event as it came, decoded by whoever wants it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RawEvent {
    /// The session that it comes from; none for the browser itself.
    pub session: Option<SessionId>,
    /// Its full name, such as `Page.frameNavigated`.
    pub method: Arc<str>,
    /// Its place among all events of the connection: tells the order across streams.
    pub sequence: u64,
    text: Arc<str>,
    params: Range<usize>,
}

impl RawEvent {
    pub(crate) fn new(
        session: Option<SessionId>,
        method: String,
        sequence: u64,
        text: String,
        params: Range<usize>,
    ) -> Self {
        RawEvent { session, method: method.into(), sequence, text: text.into(), params }
    }

    /// Whether this is an `E`.
    pub fn is<E: Event>(&self) -> bool {
        *self.method == *E::METHOD
    }

    /// The parameters as an `E`. An event of another name is an error.
    pub fn decode<E: Event>(&self) -> Result<E, CdpError> {
        if !self.is::<E>() {
            let detail = format!("this is not {}", E::METHOD);
            return Err(CdpError::Decode { method: self.method.to_string(), detail });
        }
        decode_str(E::METHOD, self.params())
    }

    /// The parameters as JSON text.
    pub fn params(&self) -> &str {
        match self.text.get(self.params.clone()) {
            Some(params) if !params.is_empty() => params,
            _ => "{}",
        }
    }
}

/// What a stream gives.
#[derive(Debug, Clone)]
pub enum EventItem {
    /// An event.
    Event(RawEvent),
    /// So many events were lost here, because they were not taken in time.
    Lagged(u64),
}

/// Which events a stream hears.
#[derive(Debug, Clone)]
pub struct EventFilter {
    scope: Scope,
    methods: Vec<&'static str>,
    capacity: usize,
}

#[derive(Debug, Clone)]
enum Scope {
    Everywhere,
    Session(Option<SessionId>),
}

impl EventFilter {
    /// Every event of every session.
    pub fn all() -> Self {
        EventFilter { scope: Scope::Everywhere, methods: Vec::new(), capacity: CAPACITY }
    }

    /// These events of every session; an empty list means every event.
    pub fn methods(methods: &[&'static str]) -> Self {
        EventFilter { methods: methods.to_vec(), ..Self::all() }
    }

    /// Only of this session; `None` is the browser itself.
    pub fn in_session(self, session: Option<SessionId>) -> Self {
        EventFilter { scope: Scope::Session(session), ..self }
    }

    /// Holds so many events before the oldest is lost; at least one.
    pub fn capacity(self, events: usize) -> Self {
        EventFilter { capacity: events.max(1), ..self }
    }
}

/// A bounded stream of events. Ends when the connection or its session ends; dropping it unsubscribes.
#[derive(Debug)]
pub struct EventStream {
    core: Arc<Core>,
    session: Option<Option<SessionId>>,
    queue: Arc<Queue>,
}

impl EventStream {
    /// The next event; `None` when the connection or the session is gone and everything was taken.
    pub async fn next(&mut self) -> Option<EventItem> {
        std::future::poll_fn(|context| self.queue.poll(context)).await
    }

    /// What is there already, without waiting. A reply that was awaited comes after all events before it.
    pub fn try_next(&mut self) -> Option<EventItem> {
        lock(&self.queue.state).pop()
    }

    /// The next `E`, decoded. Other events and what cannot be decoded are passed over; `Err` tells how many were lost.
    pub async fn next_of<E: Event>(&mut self) -> Option<Result<E, u64>> {
        loop {
            match self.next().await? {
                EventItem::Lagged(lost) => return Some(Err(lost)),
                EventItem::Event(event) if event.is::<E>() => match event.decode() {
                    Ok(event) => return Some(Ok(event)),
                    Err(error) => tracing::warn!(%error, "event passed over"),
                },
                EventItem::Event(_) => {}
            }
        }
    }
}

impl Stream for EventStream {
    type Item = EventItem;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<EventItem>> {
        self.queue.poll(context)
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        self.core.hub.unsubscribe(self.session.as_ref(), &self.queue);
    }
}

/// All streams of a connection, by session.
#[derive(Debug, Default)]
pub(crate) struct Hub {
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    everywhere: Vec<Arc<Queue>>,
    sessions: HashMap<Option<SessionId>, Vec<Arc<Queue>>>,
    /// The latest ended sessions, oldest first.
    ended: VecDeque<SessionId>,
    closed: bool,
}

impl Table {
    fn is_over(&self, session: Option<&Option<SessionId>>) -> bool {
        self.closed || matches!(session, Some(Some(session)) if self.ended.contains(session))
    }
}

impl Hub {
    pub(crate) fn subscribe(core: &Arc<Core>, filter: EventFilter) -> EventStream {
        let EventFilter { scope, methods, capacity } = filter;
        let queue = Arc::new(Queue { methods, capacity, state: Mutex::default() });
        let session = match scope {
            Scope::Everywhere => None,
            Scope::Session(session) => Some(session),
        };
        let mut table = lock(&core.hub.table);
        if table.is_over(session.as_ref()) {
            queue.close();
        } else {
            match &session {
                None => table.everywhere.push(queue.clone()),
                Some(session) => table.sessions.entry(session.clone()).or_default().push(queue.clone()),
            }
        }
        drop(table);
        EventStream { core: core.clone(), session, queue }
    }

    pub(crate) fn deliver(&self, event: &RawEvent) {
        let table = lock(&self.table);
        let own = table.sessions.get(&event.session).into_iter().flatten();
        for queue in table.everywhere.iter().chain(own) {
            queue.push(event);
        }
    }

    pub(crate) fn end_session(&self, session: &SessionId) {
        let mut table = lock(&self.table);
        let queues = table.sessions.remove(&Some(session.clone()));
        table.ended.push_back(session.clone());
        if table.ended.len() > ENDED {
            table.ended.pop_front();
        }
        drop(table);
        queues.into_iter().flatten().for_each(|queue| queue.close());
    }

    pub(crate) fn close(&self) {
        let mut table = lock(&self.table);
        table.closed = true;
        let everywhere = std::mem::take(&mut table.everywhere);
        let sessions = std::mem::take(&mut table.sessions);
        drop(table);
        everywhere.into_iter().chain(sessions.into_values().flatten()).for_each(|queue| queue.close());
    }

    fn unsubscribe(&self, session: Option<&Option<SessionId>>, queue: &Arc<Queue>) {
        let mut table = lock(&self.table);
        let Some(session) = session else {
            table.everywhere.retain(|other| !Arc::ptr_eq(other, queue));
            return;
        };
        if let Some(queues) = table.sessions.get_mut(session) {
            queues.retain(|other| !Arc::ptr_eq(other, queue));
            if queues.is_empty() {
                table.sessions.remove(session);
            }
        }
    }
}

#[derive(Debug)]
struct Queue {
    methods: Vec<&'static str>,
    capacity: usize,
    state: Mutex<QueueState>,
}

#[derive(Debug, Default)]
struct QueueState {
    events: VecDeque<RawEvent>,
    bytes: usize,
    lost: u64,
    closed: bool,
    waker: Option<Waker>,
}

impl Queue {
    fn push(&self, event: &RawEvent) {
        if !self.methods.is_empty() && !self.methods.iter().any(|method| **method == *event.method) {
            return;
        }
        let mut state = lock(&self.state);
        state.bytes += event.text.len();
        state.events.push_back(event.clone());
        while state.events.len() > self.capacity || (state.bytes > BYTES && state.events.len() > 1) {
            let Some(oldest) = state.events.pop_front() else { break };
            state.bytes -= oldest.text.len();
            state.lost += 1;
        }
        let waker = state.waker.take();
        drop(state);
        waker.into_iter().for_each(Waker::wake);
    }

    fn poll(&self, context: &mut Context<'_>) -> Poll<Option<EventItem>> {
        let mut state = lock(&self.state);
        if let Some(item) = state.pop() {
            return Poll::Ready(Some(item));
        }
        if state.closed {
            return Poll::Ready(None);
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }

    fn close(&self) {
        let mut state = lock(&self.state);
        state.closed = true;
        let waker = state.waker.take();
        drop(state);
        waker.into_iter().for_each(Waker::wake);
    }
}

impl QueueState {
    /// What was lost lies before everything that is left.
    fn pop(&mut self) -> Option<EventItem> {
        if self.lost > 0 {
            return Some(EventItem::Lagged(std::mem::take(&mut self.lost)));
        }
        let event = self.events.pop_front()?;
        self.bytes -= event.text.len();
        Some(EventItem::Event(event))
    }
}
