//! A command that was sent and is not yet answered.

use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use serde::de::DeserializeOwned;
use tokio::sync::oneshot;
use tokio::time::{Sleep, sleep};

use crate::session::Session;
use crate::waiting::Answer;
use crate::{CdpError, envelope};

/// The reply to come. It was sent already; awaiting only waits. Has no deadline of its own: see
/// [`within`](Pending::within). Dropping it stops the waiting, not the command.
#[must_use = "the command is sent, but only awaiting tells whether it worked"]
#[derive(Debug)]
pub struct Pending<R> {
    session: Session,
    method: &'static str,
    id: u64,
    state: State,
    reply: PhantomData<fn() -> R>,
}

#[derive(Debug)]
enum State {
    Waiting(oneshot::Receiver<Answer>),
    Failed(CdpError),
    Done,
}

impl<R> Pending<R> {
    pub(crate) fn new(
        session: Session,
        method: &'static str,
        id: u64,
        answer: Result<oneshot::Receiver<Answer>, CdpError>,
    ) -> Self {
        let state = match answer {
            Ok(receiver) => State::Waiting(receiver),
            Err(error) => State::Failed(error),
        };
        Pending { session, method, id, state, reply: PhantomData }
    }

    /// The command that was sent.
    pub fn method(&self) -> &'static str {
        self.method
    }

    /// The same with a deadline from now on.
    pub fn within(self, deadline: Duration) -> Within<R> {
        Within { pending: self, after: deadline, timer: Box::pin(sleep(deadline)) }
    }

    /// The same with the session's own deadline.
    pub fn in_time(self) -> Within<R> {
        let deadline = self.session.deadline();
        self.within(deadline)
    }
}

impl<R: DeserializeOwned> Future for Pending<R> {
    type Output = Result<R, CdpError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let lost = || CdpError::closed("the connection was dropped");
        let answer = match &mut self.state {
            State::Waiting(receiver) => match Pin::new(receiver).poll(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(answer) => answer.unwrap_or_else(|_| Err(lost())),
            },
            State::Failed(error) => Err(error.clone()),
            State::Done => Err(lost()),
        };
        self.state = State::Done;
        Poll::Ready(answer.and_then(|text| envelope::reply(&text, self.method, self.session.id())))
    }
}

impl<R> Drop for Pending<R> {
    fn drop(&mut self) {
        if let State::Waiting(_) = self.state {
            self.session.core().waiting.forget(self.id);
        }
    }
}

/// A [`Pending`] with a deadline.
#[must_use = "the command is sent, but only awaiting tells whether it worked"]
#[derive(Debug)]
pub struct Within<R> {
    pending: Pending<R>,
    after: Duration,
    timer: Pin<Box<Sleep>>,
}

impl<R: DeserializeOwned> Future for Within<R> {
    type Output = Result<R, CdpError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let Poll::Ready(result) = Pin::new(&mut self.pending).poll(context) {
            return Poll::Ready(result);
        }
        match self.timer.as_mut().poll(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(()) => {
                Poll::Ready(Err(CdpError::Timeout { method: self.pending.method.to_owned(), after: self.after }))
            }
        }
    }
}
