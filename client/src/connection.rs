//! A small pool of HTTP/2 connections to one server.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use memoryd_proto::v1::memory_service_client::MemoryServiceClient;
use tonic::transport::{Channel, Endpoint};
use tonic_health::pb::health_client::HealthClient;

use crate::error::Error;
use crate::heard::{Heard, ListeningConnector};
use crate::settings::{
    CONNECTION_WINDOW_BYTES, KEEP_ALIVE_INTERVAL, KEEP_ALIVE_TIMEOUT, STREAM_WINDOW_BYTES, Settings,
};
use crate::status::error_from_transport;

/// The generated client over a connection of the pool.
pub(crate) type ServiceClient = MemoryServiceClient<Channel>;

/// The connections. Each is opened by the first call that is given it, and again after it broke.
pub(crate) struct Pool {
    slots: Vec<Slot>,
    max_message_bytes: usize,
}

struct Slot {
    channel: Channel,
    heard: Heard,
    /// Calls under way, streams included: what the least busy connection is chosen by.
    calls: Arc<AtomicUsize>,
}

/// A call's hold on its connection; the call counts as under way until this is dropped.
pub(crate) struct Lease {
    channel: Channel,
    heard: Heard,
    calls: Arc<AtomicUsize>,
    max_message_bytes: usize,
}

impl Pool {
    /// A pool of which nothing is connected yet.
    pub(crate) fn lazy(url: &str, settings: &Settings) -> Result<Self, Error> {
        // tonic starts a task for each channel and panics without a runtime.
        if tokio::runtime::Handle::try_current().is_err() {
            let text = "a memory client must be made within a Tokio runtime";
            return Err(Error::Configuration(text.to_owned()));
        }
        let endpoint = endpoint(url, settings)?;
        let slots = (0..settings.channels.max(1)).map(|_| Slot::lazy(&endpoint, settings));
        Ok(Self::of(slots, settings))
    }

    /// A pool of which one connection stands.
    pub(crate) async fn connected(url: &str, settings: &Settings) -> Result<Self, Error> {
        let endpoint = endpoint(url, settings)?;
        let first = Slot::connected(&endpoint, settings).await.map_err(error_from_transport)?;
        let others = (1..settings.channels.max(1)).map(|_| Slot::lazy(&endpoint, settings));
        Ok(Self::of(std::iter::once(first).chain(others), settings))
    }

    fn of(slots: impl Iterator<Item = Slot>, settings: &Settings) -> Self {
        Self { slots: slots.collect(), max_message_bytes: settings.max_message_bytes }
    }

    /// The least busy connection. Callers that send one call at a time thus share one connection,
    /// and many at once spread. Equals are taken in turn, beginning at `attempt`, so that a retry
    /// leaves a connection that leads to a bad place.
    pub(crate) fn lease(&self, attempt: u32) -> Lease {
        let start = attempt as usize % self.slots.len();
        let (earlier, later) = self.slots.split_at(start);
        let mut least = &later[0];
        for slot in later[1..].iter().chain(earlier) {
            if slot.calls.load(Ordering::Relaxed) < least.calls.load(Ordering::Relaxed) {
                least = slot;
            }
        }
        least.calls.fetch_add(1, Ordering::Relaxed);
        Lease {
            channel: least.channel.clone(),
            heard: least.heard.clone(),
            calls: Arc::clone(&least.calls),
            max_message_bytes: self.max_message_bytes,
        }
    }
}

impl Slot {
    fn lazy(endpoint: &Endpoint, settings: &Settings) -> Self {
        let heard = Heard::default();
        let connector = ListeningConnector::new(settings.connect_timeout, heard.clone());
        let channel = endpoint.connect_with_connector_lazy(connector);
        Self { channel, heard, calls: Arc::default() }
    }

    async fn connected(
        endpoint: &Endpoint,
        settings: &Settings,
    ) -> Result<Self, tonic::transport::Error> {
        let heard = Heard::default();
        let connector = ListeningConnector::new(settings.connect_timeout, heard.clone());
        let channel = endpoint.connect_with_connector(connector).await?;
        Ok(Self { channel, heard, calls: Arc::default() })
    }
}

impl Lease {
    /// Whether the server was heard on this connection since it was last opened.
    pub(crate) fn heard(&self) -> Heard {
        self.heard.clone()
    }

    /// The memory service. What may be sent is the server's to limit.
    pub(crate) fn memory(&self) -> ServiceClient {
        MemoryServiceClient::new(self.channel.clone())
            .max_decoding_message_size(self.max_message_bytes)
    }

    /// The standard health service of the same server.
    pub(crate) fn health(&self) -> HealthClient<Channel> {
        HealthClient::new(self.channel.clone())
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.calls.fetch_sub(1, Ordering::Relaxed);
    }
}

fn endpoint(url: &str, settings: &Settings) -> Result<Endpoint, Error> {
    if url.starts_with("https://") {
        let text = format!("{url}: this version speaks plain http only");
        return Err(Error::Configuration(text));
    }
    let Some(authority) = url.strip_prefix("http://") else {
        let text = format!("{url:?} is no url such as http://127.0.0.1:50051");
        return Err(Error::Configuration(text));
    };
    let invalid = |error: tonic::transport::Error| {
        let cause = std::error::Error::source(&error)
            .map_or_else(String::new, |cause| format!(": {cause}"));
        Error::Configuration(format!("{url:?} is no valid url{cause}"))
    };
    if authority.is_empty() {
        return Err(Error::Configuration(format!("{url:?} names no host")));
    }
    Ok(Endpoint::from_shared(url.to_owned())
        .map_err(invalid)?
        .user_agent(concat!("memoryd-client/", env!("CARGO_PKG_VERSION")))
        .map_err(invalid)?
        .connect_timeout(settings.connect_timeout)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .http2_keep_alive_interval(KEEP_ALIVE_INTERVAL)
        .keep_alive_timeout(KEEP_ALIVE_TIMEOUT))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn busy(pool: &Pool) -> Vec<usize> {
        pool.slots.iter().map(|slot| slot.calls.load(Ordering::Relaxed)).collect()
    }

    #[tokio::test]
    async fn one_call_at_a_time_stays_on_one_connection_and_many_spread() {
        let settings = Settings { channels: 3, ..Settings::default() };
        let pool = Pool::lazy("http://127.0.0.1:1", &settings).unwrap();
        for _ in 0..3 {
            let lease = pool.lease(0);
            assert_eq!(busy(&pool), [1, 0, 0]);
            drop(lease);
        }
        let leases: Vec<Lease> = (0..7).map(|_| pool.lease(0)).collect();
        assert_eq!(busy(&pool), [3, 2, 2]);
        drop(leases);
        assert_eq!(busy(&pool), [0, 0, 0]);
    }

    #[tokio::test]
    async fn a_retry_takes_another_connection() {
        let settings = Settings { channels: 3, ..Settings::default() };
        let pool = Pool::lazy("http://127.0.0.1:1", &settings).unwrap();
        let _second = pool.lease(1);
        assert_eq!(busy(&pool), [0, 1, 0]);
        let _third = pool.lease(5);
        assert_eq!(busy(&pool), [0, 1, 1]);
    }

    #[tokio::test]
    async fn a_pool_of_no_connections_has_one() {
        let settings = Settings { channels: 0, ..Settings::default() };
        assert_eq!(Pool::lazy("http://127.0.0.1:1", &settings).unwrap().slots.len(), 1);
    }

    #[tokio::test]
    async fn a_url_that_can_not_work_is_refused_at_once() {
        for url in
            ["", "127.0.0.1:50051", "https://memory.example", "http://", "http://a b", "ftp://x"]
        {
            let error = Pool::lazy(url, &Settings::default()).err();
            assert!(matches!(error, Some(Error::Configuration(_))), "{url}: {error:?}");
        }
    }

    #[test]
    fn outside_a_runtime_is_an_error_not_a_panic() {
        let error = Pool::lazy("http://127.0.0.1:1", &Settings::default()).err();
        assert!(matches!(error, Some(Error::Configuration(_))), "{error:?}");
    }
}
