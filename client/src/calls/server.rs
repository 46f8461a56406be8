//! About the server itself.

use memoryd_proto::v1::memory_service_server::SERVICE_NAME;
use memoryd_proto::v1::{GetServerInfoRequest, GetServerInfoResponse};
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;

use crate::client::MemoryClient;
use crate::error::{Error, ServerError};

impl MemoryClient {
    /// The server's version, the limits in force, and what it can do.
    ///
    /// # Errors
    ///
    /// Any [`Error`].
    pub async fn server_info(&self) -> Result<GetServerInfoResponse, Error> {
        self.unary("GetServerInfo", GetServerInfoRequest {}, |lease, request| async move {
            lease.memory().get_server_info(request).await
        })
        .await
    }

    /// Asks the standard health service whether the memory service is serving. Touches no store.
    ///
    /// # Errors
    ///
    /// [`Error::Unreachable`] without a connection; an error of code `Unavailable` when the server
    /// is there but starting, draining, or without its store.
    pub async fn check_serving(&self) -> Result<(), Error> {
        let question = HealthCheckRequest { service: SERVICE_NAME.to_owned() };
        let answer = self
            .unary("Check", question, |lease, request| async move {
                lease.health().check(request).await
            })
            .await?;
        let status = answer.status();
        if status == ServingStatus::Serving {
            return Ok(());
        }
        let text = format!("the memory server answers {}", status.as_str_name());
        Err(Error::Server(Box::new(ServerError::plain(Code::Unavailable, text))))
    }
}
